import { operations } from '@sosia/contract';
import { wireColors } from './colors.ts';
import { operation, withoutColors } from './operation.ts';

export const getImageColorsByUpload = operation(operations.getImageColorsByUpload, {
  refuses: withoutColors,
  async run(application, { image_content }) {
    return { colors: wireColors(application.colors.of(await application.describe(image_content, 'reference'))) };
  },
});
