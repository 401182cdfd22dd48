import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';

export const setMetadata: Work<Contract['setMetadata']> = {
  refuses: withoutReferences,
  async run(application, { image_id, metadata }) {
    await application.references.change(image_id, { metadata });
    return { task_id: 0 as const, ...(metadata && { metadata }) };
  },
};
