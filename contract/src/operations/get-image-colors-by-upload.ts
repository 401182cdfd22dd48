import Type from 'typebox';
import { operation } from '../operation.ts';
import { imageUrl, picture } from '../parameters/bytes.ts';
import { imageColors } from './image-colors.ts';

export const getImageColorsByUpload = operation({
  name: 'GetImageColorsByUpload',
  families: ['enginequery'],
  method: 'GET',
  about:
    'Returns the dominant colours of an uploaded picture. GET with a body is accepted, but more proxies pass POST.',
  parameters: Type.Object({ image_content: picture, image_url: imageUrl }),
  answer: imageColors,
  onFailure: { colors: [] },
});
