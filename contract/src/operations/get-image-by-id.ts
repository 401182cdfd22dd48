import Type from 'typebox';
import { image } from '../image.ts';
import { operation } from '../operation.ts';
import { imageId } from '../parameters/image-id.ts';
import { object } from '../schema.ts';

export const getImageById = operation({
  name: 'GetImageById',
  families: ['enginemodify', 'enginequery'],
  method: 'GET',
  about: 'Returns the stored data of a reference picture except its DNA.',
  parameters: Type.Object({ image_id: imageId }),
  answer: Type.Object({ image: object('the picture; `null` on failure', image.properties) }),
  onFailure: { image: null },
});
