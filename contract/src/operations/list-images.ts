import Type from 'typebox';
import { found, nothingFound } from '../image.ts';
import { operation } from '../operation.ts';
import { imageId } from '../parameters/image-id.ts';
import { withKeywords } from '../parameters/keywords.ts';
import { optional } from '../parameters/parameter.ts';
import { page } from '../parameters/search.ts';
import { text } from '../parameters/text.ts';
import { count } from '../schema.ts';

/** An addition to the interface, for clients that read all pictures: browsing, export. */
export const listImages = operation({
  name: 'ListImages',
  families: ['enginemodify', 'enginequery'],
  method: 'GET',
  about:
    'Lists the reference pictures, by default in the order of the bytes of image_id. With `keywords`, only those that have all of them. For a complete listing beside concurrent changes, pass the last id of each page as `after` of the next.',
  parameters: Type.Object({
    keywords: withKeywords,
    after: optional(imageId),
    order: optional(
      text(
        '`id`: by image_id (default); `latest`: the last one that was added or changed comes first, without `after`',
        {
          example: 'id',
          enum: ['id', 'latest'],
        },
      ),
    ),
    ...page,
  }),
  answer: Type.Object({
    ...found.properties,
    nb_results_found: count('number of pictures that come after `after`'),
  }),
  onFailure: nothingFound,
});
