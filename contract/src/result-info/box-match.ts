import Type, { type Static } from '#typebox';
import { object, oneOf, pair, share } from '../schema.ts';
import { agreeingShare } from './agreeing-share.ts';
import { homography } from './homography.ts';
import { relation } from './relation.ts';

/** A rectangle with upright sides. */
export const box = Type.Object({
  topLeftPoint: pair('x and y as fractions of width and height'),
  bottomRightPoint: pair('x and y as fractions of width and height'),
});
export type Box = Static<typeof box>;

const side = (name: string) =>
  object(`the ${name} picture`, {
    resizedDimensions: pair('width and height in pixels, as the picture was described'),
    matchingBox: object('the part that shows in the other picture', box.properties),
  });

/** The result_info of Media Matching. */
export const boxMatch = Type.Object({
  category: Type.Literal('LOCALMATCHING', { description: 'constant' }),
  query: side('query'),
  reference: side('reference'),
  distance: Type.Number({ minimum: 0, exclusiveMaximum: 1, description: 'the score' }),
  homography,
  decision: oneOf(
    ['Clone', 'Match', 'Similar'],
    '`Clone` (the same picture), `Match` (a part of one shows in the other) or `Similar`',
  ),
  relation,
  false_match_probability: share(
    'how likely neither picture is a copy of the other one or of a part of it, see decisions.md',
  ),
  agreeingShare,
});
export type BoxMatch = Static<typeof boxMatch>;
