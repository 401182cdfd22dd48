import Type from 'typebox';
import { explained, nothingFound } from '../image.ts';
import { operation } from '../operation.ts';
import { dna } from '../parameters/bytes.ts';
import { search } from '../parameters/search.ts';

export const searchImageByDna = operation({
  name: 'SearchImageByDna',
  families: ['enginequery'],
  method: 'POST',
  about: 'Finds the reference pictures that match a DNA, as SearchImageByUpload does with the picture itself.',
  parameters: Type.Object({ dna, ...search }),
  answer: explained,
  onFailure: nothingFound,
});
