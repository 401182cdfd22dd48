import { wireColors } from './colors.ts';
import type { Contract, Work } from './operation.ts';
import { withoutColors } from './operation.ts';

export const getImageColorsById: Work<Contract['getImageColorsById']> = {
  refuses: withoutColors,
  async run(application, { image_id }) {
    return { colors: wireColors(application.colors.of(await application.references.dna(image_id))) };
  },
};
