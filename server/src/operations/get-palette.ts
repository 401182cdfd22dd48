import { colors, idsList, keywords, optionalInteger } from '../params/params.ts';
import { hexOf } from './colors.ts';
import { list } from '../params/schema.ts';
import { operation, withoutColors } from './operation.ts';
import { restriction } from './search.ts';

export const getPalette = operation({
  name: 'GetPalette',
  families: ['enginequery'],
  method: 'GET',
  about: 'Gives the most frequent colours of a set of reference pictures, and how many pictures have each.',
  gives: {
    colors: list({ type: 'string', pattern: '^[0-9a-f]{6}$' }, '`rrggbb`, the most frequent first'),
    image_count: list({ type: 'integer', minimum: 1 }, 'how many pictures have each, beside `colors`'),
  },
  params: {
    colors: colors(),
    keywords: keywords(),
    nb_colors: optionalInteger({ min: 1, max: 1000 }, 'all colours unless given'),
    ids_list: idsList(),
  },
  onFailure: { colors: [], image_count: [] },
  needsRecipe: true,
  refuses: withoutColors,

  async run(application, { colors, nb_colors, ...query }) {
    const asked = colors.map(({ rgb }) => rgb);
    const found = (await application.palette(restriction(query), asked)).slice(0, nb_colors);
    return { colors: found.map(({ rgb }) => hexOf(rgb)), image_count: found.map(({ images }) => images) };
  },
});
