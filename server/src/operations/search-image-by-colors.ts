import { colors, keywords } from '../params/params.ts';
import { operation, withoutColors } from './operation.ts';
import { foundImages, noImages, pageParams } from './search.ts';

export const searchImageByColors = operation({
  name: 'SearchImageByColors',
  families: ['enginequery'],
  method: 'GET',
  about: 'Finds the reference pictures that have the given colours.',
  gives: foundImages,
  params: { colors: colors({ required: true }), keywords: keywords(), ...pageParams },
  onFailure: noImages,
  refuses: withoutColors,
});
