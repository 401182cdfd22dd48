import { wireColors } from './colors.ts';
import type { Contract, Work } from './operation.ts';
import { withoutColors } from './operation.ts';

export const getImageColorsByUpload: Work<Contract['getImageColorsByUpload']> = {
  refuses: withoutColors,
  async run(application, { image_content }) {
    return { colors: wireColors(application.colors.of(await application.describe(image_content, 'reference'))) };
  },
};
