import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';
import { wireImage } from './search.ts';

export const getImageById: Work<Contract['getImageById']> = {
  refuses: withoutReferences,
  async run({ references }, { image_id }) {
    return { image: wireImage(await references.image(image_id)) };
  },
};
