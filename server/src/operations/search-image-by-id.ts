import { imageId } from '../params/params.ts';
import { operation, withoutReferences } from './operation.ts';
import { explainedImages, noImages, search, searchParams } from './search.ts';

export const searchImageById = operation({
  name: 'SearchImageById',
  families: ['enginequery'],
  method: 'GET',
  about: 'Finds the reference pictures that match one of them; the picture itself comes first.',
  gives: explainedImages,
  params: { image_id: imageId(), ...searchParams },
  onFailure: noImages,
  needsRecipe: true,
  refuses: (traits) => withoutReferences(traits) || (!traits.symmetric && 'ASYMMETRIC_DNA'),

  async run(application, { image_id, ...query }) {
    return search(application, await application.dnaOf(image_id), query);
  },
});
