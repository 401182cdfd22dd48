import { operations } from '@sosia/contract';
import { operation, withoutReferences } from './operation.ts';
import { wireImage } from './search.ts';

export const getImageById = operation(operations.getImageById, {
  refuses: withoutReferences,
  async run({ references }, { image_id }) {
    return { image: wireImage(await references.image(image_id)) };
  },
});
