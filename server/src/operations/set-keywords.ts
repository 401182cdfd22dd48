import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';

export const setKeywords: Work<Contract['setKeywords']> = {
  refuses: withoutReferences,
  async run(application, { image_id, keywords }) {
    await application.references.change(image_id, { keywords });
    return { task_id: 0 as const, keywords };
  },
};
