import { dna } from '../params/params.ts';
import { operation, withoutReferences } from './operation.ts';
import { explainedImages, noImages, search, searchParams } from './search.ts';

export const searchImageByDna = operation({
  name: 'SearchImageByDna',
  families: ['enginequery'],
  method: 'POST',
  about: 'Finds the reference pictures that match a DNA, as SearchImageByUpload does with the picture itself.',
  gives: explainedImages,
  params: { dna: dna(), ...searchParams },
  onFailure: noImages,
  needsRecipe: true,
  refuses: withoutReferences,

  run(application, { dna, ...query }) {
    return search(application, application.receive(dna, 'query'), query);
  },
});
