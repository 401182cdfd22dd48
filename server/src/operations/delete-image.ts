import { imageId } from '../params/params.ts';
import { integer } from '../params/schema.ts';
import { operation, withoutReferences } from './operation.ts';

export const deleteImage = operation({
  name: 'DeleteImage',
  families: ['enginemodify'],
  method: 'GET',
  about: 'Deletes a reference picture. Once answered, no search sees it.',
  gives: { task_id: integer('always 0', { const: 0 }) },
  params: { image_id: imageId() },
  changes: true,
  success: 'Image deleted from the reference database',
  onFailure: { task_id: 0 },
  refuses: withoutReferences,

  async run(application, { image_id }) {
    await application.delete(image_id);
    return { task_id: 0 };
  },
});
