import type { Contract, Work } from './operation.ts';
import { withoutReferences } from './operation.ts';
import { annotationsOf, wireImage } from './search.ts';

export const getImageById: Work<Contract['getImageById']> = {
  refuses: withoutReferences,
  async run(application, { image_id }) {
    const image = await application.references.image(image_id);
    return { image: wireImage(image, await annotationsOf(application, [image])) };
  },
};
