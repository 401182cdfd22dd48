import Type from 'typebox';
import { operation } from '../operation.ts';
import { imageId } from '../parameters/image-id.ts';
import { taskId } from './task-id.ts';

export const deleteImage = operation({
  name: 'DeleteImage',
  families: ['enginemodify'],
  method: 'GET',
  about: 'Deletes a reference picture. No search that begins after the answer finds the picture.',
  parameters: Type.Object({ image_id: imageId }),
  answer: Type.Object({ task_id: taskId }),
  changes: true,
  scope: 'delete',
  success: 'Image deleted from the reference database',
  onFailure: { task_id: 0 },
});
