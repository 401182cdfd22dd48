import { imageId } from '../params/params.ts';
import { operation, withoutColors } from './operation.ts';

export const getImageColorsById = operation({
  name: 'GetImageColorsById',
  families: ['enginequery'],
  method: 'GET',
  about: 'Gives the dominant colours of a reference picture.',
  gives: '`colors`, list of `rrggbb@percentage`',
  params: { image_id: imageId() },
  onFailure: { colors: [] },
  refuses: withoutColors,
});
