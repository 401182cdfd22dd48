import { file } from '../params/params.ts';
import { operation, withoutReferences } from './operation.ts';
import { explainedImages, noImages, search, searchParams } from './search.ts';

export const searchImageByUpload = operation({
  name: 'SearchImageByUpload',
  families: ['enginequery'],
  method: 'POST',
  about: 'Finds the reference pictures that match an uploaded picture, best first.',
  gives: explainedImages,
  params: { image_content: file(), ...searchParams },
  onFailure: noImages,
  needsRecipe: true,
  refuses: withoutReferences,

  async run(application, { image_content, ...query }) {
    const dna = await application.describe(image_content, 'query');
    return search(application, dna, query);
  },
});
