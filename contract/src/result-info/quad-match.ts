import type { Static } from 'typebox';
import Type from 'typebox';
import { list, pair } from '../schema.ts';
import { agreeingShare } from './agreeing-share.ts';
import { homography } from './homography.ts';
import { relation } from './relation.ts';

const quadFields = {
  points: list(pair({}), {
    minItems: 4,
    maxItems: 4,
    description: 'four corners, each x and y as fractions of width and height',
  }),
  area: Type.Number({ minimum: 0, maximum: 1, description: 'fraction of the surface' }),
};

/** A figure of four corners. */
export const quad = Type.Object(quadFields);
export type Quad = Static<typeof quad>;

const side = (name: string) =>
  Type.Object(
    {
      originalDimensions: pair({ description: 'width and height in pixels, as the picture was sent' }),
      resizedDimensions: pair({ description: 'width and height in pixels, as the picture was described' }),
      matchingBox: Type.Object(quadFields, { description: 'the part that shows in the other picture' }),
    },
    { description: `the ${name} picture` },
  );

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** The result_info of Mobile Matching and Brand monitoring. */
export const quadMatch = Type.Object({
  category: Type.Literal('LOCALMATCHING', { description: 'constant' }),
  query: side('query'),
  reference: side('reference'),
  distance: Type.Number({ minimum: 0, exclusiveMaximum: 1, description: 'the score' }),
  scores: Type.Object(
    {
      boxCoveredSurface: share('fraction of the box that has matching points'),
      boxPointsRatio: share('not to be used; kept for clients that read it'),
      boxPointsRatioHomography: share('matching points by all features of the query inside its box'),
      matchStrength: share('grows with the number of matching points'),
    },
    { description: 'see decisions.md' },
  ),
  homography,
  decision: Type.Enum(
    ['Clone', 'Match', 'Rejection due to geometric test', 'Rejection due to shape of the matching box'],
    {
      type: 'string',
      description:
        '`Clone`, `Match`, `Rejection due to geometric test` or `Rejection due to shape of the matching box`, see decisions.md',
    },
  ),
  relation: Type.Optional(relation),
  instances: Type.Optional(
    list(quad, { minItems: 1, description: 'further places of the reference in the query, on Brand monitoring' }),
  ),
  agreeingShare,
});
export type QuadMatch = Static<typeof quadMatch>;
