import Type from 'typebox';
import { operation } from '../operation.ts';
import { imageId } from '../parameters/image-id.ts';
import { imageColors } from './image-colors.ts';

export const getImageColorsById = operation({
  name: 'GetImageColorsById',
  families: ['enginequery'],
  method: 'GET',
  about: 'Returns the dominant colours of a reference picture.',
  parameters: Type.Object({ image_id: imageId }),
  answer: imageColors,
  onFailure: { colors: [] },
});
