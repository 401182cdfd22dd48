import { file } from '../params/params.ts';
import { dominantColors, wireColors } from './colors.ts';
import { operation, withoutColors } from './operation.ts';

export const getImageColorsByUpload = operation({
  name: 'GetImageColorsByUpload',
  families: ['enginequery'],
  method: 'GET',
  about: 'Gives the dominant colours of an uploaded picture. GET with a body is taken; POST passes more proxies.',
  gives: { colors: dominantColors },
  params: { image_content: file() },
  onFailure: { colors: [] },
  needsRecipe: true,
  refuses: withoutColors,

  async run(application, { image_content }) {
    return { colors: wireColors(application.colorsOf(await application.describe(image_content, 'reference'))) };
  },
});
