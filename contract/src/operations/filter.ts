import Type from '#typebox';
import { queryOperation } from '../operation.ts';
import { imageUrl, pictureOr } from '../parameters/bytes.ts';
import { numbersByName } from '../schema.ts';

export const filter = queryOperation({
  method: 'POST',
  about: 'Classifies a picture against the profiles of the application.',
  parameters: Type.Object({ query_image: pictureOr('image_content'), image_url: imageUrl }),
  answer: Type.Object({
    scores: numbersByName(
      'by name of profile: positive where it fits the picture, about 1 for a clear case, negative where it does not',
    ),
  }),
  onFailure: { scores: {} },
});
