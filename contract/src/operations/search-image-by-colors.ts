import Type from 'typebox';
import { found, nothingFound } from '../image.ts';
import { operation } from '../operation.ts';
import { someColors } from '../parameters/colors.ts';
import { withKeywords } from '../parameters/keywords.ts';
import { page, similarity } from '../parameters/search.ts';

export const searchImageByColors = operation({
  name: 'SearchImageByColors',
  families: ['enginequery'],
  method: 'GET',
  about:
    'Finds the reference pictures that have the given colours in the given shares. Colours without a share get equal parts of the rest. Shares that sum to more than 100 are scaled down. Similar colours count nearly in full.',
  parameters: Type.Object({ colors: someColors, keywords: withKeywords, similarity, ...page }),
  answer: found,
  onFailure: nothingFound,
});
