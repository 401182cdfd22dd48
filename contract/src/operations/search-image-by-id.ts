import Type from 'typebox';
import { explained, nothingFound } from '../image.ts';
import { operation } from '../operation.ts';
import { imageId } from '../parameters/image-id.ts';
import { search } from '../parameters/search.ts';

export const searchImageById = operation({
  name: 'SearchImageById',
  families: ['enginequery'],
  method: 'GET',
  about:
    'Finds the reference pictures that match one of them; the picture itself comes first. With `verdicts` 1, pictures that a review judged not to match it are left out.',
  parameters: Type.Object({ image_id: imageId, ...search }),
  answer: explained,
  onFailure: nothingFound,
});
