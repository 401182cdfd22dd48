import { operations } from '@sosia/contract';
import { operation, withoutReferences } from './operation.ts';
import { wireImage } from './search.ts';

export const getImageById = operation(operations.getImageById, {
  refuses: withoutReferences,
  run(application, { image_id }) {
    return { image: wireImage(application.image(image_id)) };
  },
});
