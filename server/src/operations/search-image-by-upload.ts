import { operations } from '@sosia/contract';
import { operation, withoutReferences } from './operation.ts';
import { search } from './search.ts';

export const searchImageByUpload = operation(operations.searchImageByUpload, {
  refuses: withoutReferences,
  async run(application, { image_content, ...query }) {
    const dna = await application.describe(image_content, 'query');
    return search(application, dna, query);
  },
});
