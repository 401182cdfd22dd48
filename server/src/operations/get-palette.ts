import { hexOf } from './colors.ts';
import type { Contract, Work } from './operation.ts';
import { withoutColors } from './operation.ts';
import { restriction } from './search.ts';

export const getPalette: Work<Contract['getPalette']> = {
  refuses: withoutColors,
  async run(application, { colors, nb_colors, ...query }) {
    const wanted = colors.map(({ rgb }) => rgb);
    const found = (await application.references.palette(restriction(query), wanted)).slice(0, nb_colors);
    return { colors: found.map(({ rgb }) => hexOf(rgb)), image_count: found.map(({ images }) => images) };
  },
};
