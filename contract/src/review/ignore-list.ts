import Type, { type Static } from '#typebox';
import { reviewOperation, named } from '../operation.ts';
import { dna, imageUrl, picture } from '../parameters/bytes.ts';
import { imageId } from '../parameters/image-id.ts';
import { flag } from '../parameters/integer.ts';
import { optional } from '../parameters/parameter.ts';
import { count, object, pageOf, string } from '../schema.ts';
import { known, page } from './schemas.ts';

const ignoredPicture = object('a picture of the ignore list', {
  id: string('its name in the list'),
  width: known('pixels'),
  height: known('pixels'),
  added: string('ISO 8601, UTC'),
  who: string('name of the key'),
  thumbnail: Type.Optional(string('with `thumbnails` 1: a small JPEG in base64, if one is stored')),
  dna: Type.Optional(string('with `with_dna` 1: the DNA in base64')),
});
export type IgnoredPicture = Static<typeof ignoredPicture>;

/** In the order of the documents. */
export const ignoreListOperations = named({
  addIgnored: reviewOperation({
    scope: 'administer',
    method: 'POST',
    about:
      'Adds a picture to the ignore list, as a file or as a DNA: a logo, a banner or a watermark. A reference picture that matches a query only by this picture is no match from then on. For types that compare parts of pictures.',
    parameters: Type.Object({
      image_id: imageId,
      image_content: optional(picture),
      image_url: imageUrl,
      dna: optional(dna),
    }),
    answer: Type.Object({ ignored: ignoredPicture }),
  }),

  listIgnored: reviewOperation({
    about: 'Lists the ignore list, by id.',
    parameters: Type.Object({
      thumbnails: flag('each picture has its thumbnail'),
      with_dna: flag('each picture has its DNA'),
      ...page,
    }),
    ...pageOf('ignored', ignoredPicture, 'number of ignored pictures'),
  }),

  deleteIgnored: reviewOperation({
    scope: 'administer',
    method: 'POST',
    about: 'Removes a picture from the ignore list.',
    parameters: Type.Object({ image_id: imageId }),
    answer: Type.Object({ nb_ignored: count('pictures that are left in the list') }),
  }),
});
