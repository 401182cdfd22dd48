import Type, { type Static } from '#typebox';
import { reviewOperation, named } from '../operation.ts';
import { imageIds } from '../parameters/image-id.ts';
import { optionals } from '../parameters/parameter.ts';
import { choice } from '../parameters/text.ts';
import { count, pageOf, string } from '../schema.ts';
import { page } from './schemas.ts';

const orders = ['found', 'last'] as const;
export type MatchOrder = (typeof orders)[number];

const matchCount = Type.Object({
  id: string('the image_id'),
  found: count('searches that listed the picture, all decisions together'),
  clone: count('with the decision Clone'),
  match: count('with the decision Match'),
  similar: count('with the decision Similar'),
  other: count('without a decision: types that compare pictures as a whole'),
  last: string('the last time, ISO 8601, UTC'),
});
export type MatchCount = Static<typeof matchCount>;

/** In the order of the documents. */
export const matchCountOperations = named({
  listMatchCounts: reviewOperation({
    about:
      'Lists how often each reference picture was found, and when last. Counted are the pictures in the answers of SearchImageByUpload and SearchImageByDna. A kill may lose the counts of the last minute.',
    parameters: Type.Object({
      ...optionals({
        ids_list: imageIds,
        order: choice(orders, '`found`: the most frequent first (default); `last`: the latest first'),
      }),
      ...page,
    }),
    ...pageOf('images', matchCount, 'pictures that were found at least once'),
  }),
});
