import Type, { type Static } from '#typebox';
import { list, object, oneOf, pair, share } from '../schema.ts';
import { agreeingShare } from './agreeing-share.ts';
import { homography } from './homography.ts';
import { relation } from './relation.ts';

const quadFields = {
  points: list(pair(), 'four corners, each x and y as fractions of width and height', { minItems: 4, maxItems: 4 }),
  area: share('fraction of the surface'),
};

/** A figure of four corners. */
export const quad = Type.Object(quadFields);
export type Quad = Static<typeof quad>;

const side = (name: string, matchingBox: string) =>
  object(`the ${name} picture`, {
    originalDimensions: pair('width and height of the upright picture, in pixels'),
    resizedDimensions: pair('width and height of the frame, whose pixels are the unit of the homography'),
    matchingBox: object(matchingBox, quadFields),
  });

/** The result_info of Mobile Matching and Brand monitoring. */
export const quadMatch = Type.Object({
  category: Type.Literal('LOCALMATCHING', { description: 'constant' }),
  query: side(
    'query',
    'the corners of the reference under the homography, each moved to the nearest point of the query; the area is their share of the query',
  ),
  reference: side(
    'reference',
    'the upright rectangle around the visible part, from its upper left corner clockwise; the area is its share of the reference',
  ),
  distance: Type.Number({ minimum: 0, exclusiveMaximum: 1, description: 'the score' }),
  scores: object('see decisions.md', {
    boxCoveredSurface: share('share of 8 × 8 equal cells of the box of the reference that contain a matching point'),
    boxPointsRatio: share('matching points by the features of the reference; only for clients that read it'),
    boxPointsRatioHomography: share('matching points by all features of the query inside its box'),
    matchStrength: share('n / (n + 20) for n matching points'),
  }),
  homography,
  decision: oneOf(
    ['Clone', 'Match', 'Rejection due to geometric test', 'Rejection due to shape of the matching box'],
    '`Clone`, `Match`, `Rejection due to geometric test` or `Rejection due to shape of the matching box`, see decisions.md',
  ),
  relation: Type.Optional(relation),
  instances: Type.Optional(
    list(
      quad,
      'further places of the reference in the query, on Brand monitoring: the most certain first, at most 15; the other fields describe the most certain one',
      { minItems: 1 },
    ),
  ),
  agreeingShare,
});
export type QuadMatch = Static<typeof quadMatch>;
