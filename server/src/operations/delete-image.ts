import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';

export const deleteImage: Work<Contract['deleteImage']> = {
  refuses: withoutReferences,
  async run(application, { image_id }) {
    await application.references.delete(image_id);
    return { task_id: 0 as const };
  },
};
