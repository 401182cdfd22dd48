import { colors, keywords } from '../params/params.ts';
import { operation, withoutColors } from './operation.ts';
import { shared } from './colors.ts';
import { foundImages, noImages, pageOf, pageParams, restriction, wirePage } from './search.ts';

export const searchImageByColors = operation({
  name: 'SearchImageByColors',
  families: ['enginequery'],
  method: 'GET',
  about:
    'Finds the reference pictures that have the given colours in the given shares; colours without one take equal parts of the rest, and shares that sum to more than 100 are taken in proportion. Near colours count nearly in full.',
  gives: foundImages,
  params: { colors: colors({ required: true }), keywords: keywords(), ...pageParams },
  onFailure: noImages,
  needsRecipe: true,
  refuses: withoutColors,

  async run(application, { colors, ...query }) {
    const page = pageOf(application, query);
    return wirePage(await application.searchColors(shared(colors), restriction(query), page));
  },
});
