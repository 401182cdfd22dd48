import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';
import { search } from './search.ts';

export const searchImageByUpload: Work<Contract['searchImageByUpload']> = {
  refuses: withoutReferences,
  async run(application, { image_content, ...query }) {
    const dna = await application.describe(image_content, 'query');
    return search(application, dna, query);
  },
};
