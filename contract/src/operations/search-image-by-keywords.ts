import Type from 'typebox';
import { found, nothingFound } from '../image.ts';
import { operation } from '../operation.ts';
import { someKeywords } from '../parameters/keywords.ts';
import { page } from '../parameters/search.ts';

export const searchImageByKeywords = operation({
  name: 'SearchImageByKeywords',
  families: ['enginequery'],
  method: 'POST',
  about: 'Lists the reference pictures that have all the keywords, by image_id.',
  parameters: Type.Object({ keywords: someKeywords, ...page }),
  answer: found,
  onFailure: nothingFound,
});
