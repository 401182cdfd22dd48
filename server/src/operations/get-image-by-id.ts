import { imageId } from '../params/params.ts';
import { object } from '../params/schema.ts';
import { operation, withoutReferences } from './operation.ts';
import { imageFields, wireImage } from './search.ts';

export const getImageById = operation({
  name: 'GetImageById',
  families: ['enginemodify', 'enginequery'],
  method: 'GET',
  about: 'Tells what is kept of a reference picture beside its DNA.',
  gives: { image: object(imageFields, 'the picture; `null` on failure') },
  params: { image_id: imageId() },
  onFailure: { image: null },
  refuses: withoutReferences,

  run(application, { image_id }) {
    return { image: wireImage(application.image(image_id)) };
  },
});
