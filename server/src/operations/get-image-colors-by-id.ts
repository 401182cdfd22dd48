import { imageId } from '../params/params.ts';
import { dominantColors, wireColors } from './colors.ts';
import { operation, withoutColors } from './operation.ts';

export const getImageColorsById = operation({
  name: 'GetImageColorsById',
  families: ['enginequery'],
  method: 'GET',
  about: 'Gives the dominant colours of a reference picture.',
  gives: { colors: dominantColors },
  params: { image_id: imageId() },
  onFailure: { colors: [] },
  needsRecipe: true,
  refuses: withoutColors,

  async run(application, { image_id }) {
    return { colors: wireColors(application.colorsOf(await application.dnaOf(image_id))) };
  },
});
