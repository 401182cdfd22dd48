import Type from 'typebox';
import { found, nothingFound } from '../image.ts';
import { operation } from '../operation.ts';
import { imageId } from '../parameters/image-id.ts';
import { keywords } from '../parameters/keywords.ts';
import { optional } from '../parameters/parameter.ts';
import { page } from '../parameters/search.ts';

/** An addition to the interface, for clients that go through all pictures: browsing, export. */
export const listImages = operation({
  name: 'ListImages',
  families: ['enginemodify', 'enginequery'],
  method: 'GET',
  about:
    'Lists the reference pictures, those that have all the keywords if any are given, by the bytes of image_id. Pages that each name the last id of the page before as `after` miss no picture that stays, whatever is added and deleted meanwhile.',
  parameters: Type.Object({ keywords, after: optional(imageId), ...page }),
  answer: Type.Object({
    ...found.properties,
    nb_results_found: Type.Integer({ minimum: 0, description: 'number of pictures that come after `after`' }),
  }),
  onFailure: nothingFound,
});
