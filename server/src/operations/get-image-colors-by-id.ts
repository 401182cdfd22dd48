import { operations } from '@sosia/contract';
import { wireColors } from './colors.ts';
import { operation, withoutColors } from './operation.ts';

export const getImageColorsById = operation(operations.getImageColorsById, {
  refuses: withoutColors,
  async run(application, { image_id }) {
    return { colors: wireColors(application.colors.of(await application.references.dna(image_id))) };
  },
});
