import Type from 'typebox';
import { explained, nothingFound } from '../image.ts';
import { operation } from '../operation.ts';
import { imageUrl, picture } from '../parameters/bytes.ts';
import { search } from '../parameters/search.ts';

export const searchImageByUpload = operation({
  name: 'SearchImageByUpload',
  families: ['enginequery'],
  method: 'POST',
  about: 'Finds the reference pictures that match an uploaded picture, best first.',
  parameters: Type.Object({ image_content: picture, image_url: imageUrl, ...search }),
  answer: explained,
  onFailure: nothingFound,
});
