import { operations } from '@sosia/contract';
import { operation, withoutReferences } from './operation.ts';

export const deleteImage = operation(operations.deleteImage, {
  refuses: withoutReferences,
  async run(application, { image_id }) {
    await application.references.delete(image_id);
    return { task_id: 0 as const };
  },
});
