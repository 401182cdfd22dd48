import Type from 'typebox';
import { operation } from '../operation.ts';
import { imageId } from '../parameters/image-id.ts';
import { keywords } from '../parameters/keywords.ts';
import { list } from '../schema.ts';
import { taskId } from './task-id.ts';

/** An addition to the interface. */
export const setKeywords = operation({
  name: 'SetKeywords',
  families: ['enginemodify'],
  scope: 'add',
  method: 'POST',
  about:
    'Replaces the keywords of a reference picture; without `keywords` it has none from then on. Every search that begins after the answer uses the new ones.',
  parameters: Type.Object({ image_id: imageId, keywords }),
  answer: Type.Object({ task_id: taskId, keywords: list(Type.String(), 'as given') }),
  success: 'Keywords replaced',
  onFailure: { task_id: 0 },
});
