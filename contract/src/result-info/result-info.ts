import Type, { type Static } from '#typebox';
import { share, list, object, oneOf, pair } from '../schema.ts';

/** How much of two pictures is the same where they overlap. */
const agreeingShare = Type.Optional(
  share(
    'share of the overlap in which both pictures agree; absent where it is smaller than 20 cells, or was not compared',
  ),
);

const homography = object('the map from the reference to the query', {
  source: Type.Literal('reference', { description: 'constant' }),
  destination: Type.Literal('query', { description: 'constant' }),
  coefficients: list(Type.Number(), 'nine numbers, row by row, the last 1, in pixels of `resizedDimensions`', {
    minItems: 9,
    maxItems: 9,
  }),
});

export const relations = [
  'copy',
  'part',
  'montage',
  'same frame',
  'same form',
  'same design',
  'other view',
  'related',
] as const;

/** What two pictures have in common, see docs/decisions.md. */
export const relation = oneOf(relations, 'what both have in common, see decisions.md');
export type Relation = Static<typeof relation>;

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

const quadFields = {
  points: list(pair(), 'four corners, each x and y as fractions of width and height', { minItems: 4, maxItems: 4 }),
  area: share('fraction of the surface'),
};

/** A figure of four corners. */
export const quad = Type.Object(quadFields);
export type Quad = Static<typeof quad>;

const quadSide = (name: string, matchingBox: string) =>
  object(`the ${name} picture`, {
    originalDimensions: pair('width and height of the upright picture, in pixels'),
    resizedDimensions: pair('width and height of the frame, whose pixels are the unit of the homography'),
    matchingBox: object(matchingBox, quadFields),
  });

/** The result_info of Mobile Matching and Brand monitoring. */
export const quadMatch = Type.Object({
  category: Type.Literal('LOCALMATCHING', { description: 'constant' }),
  query: quadSide(
    'query',
    'the corners of the reference under the homography, each moved to the nearest point of the query; the area is their share of the query',
  ),
  reference: quadSide(
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

/** The result_info of Image Similarity; score = (1 - colorweight) * shapeScore + colorweight * colorScore. */
export const similarity = Type.Object({
  category: Type.Literal('SIMILARITY', { description: 'constant' }),
  colorScore: share('by colours alone'),
  shapeScore: share('by shapes alone'),
  colorweight: share('the weight of colour in the score'),
});
export type Similarity = Static<typeof similarity>;

/** The structure of result_info by application type; null where the type has none. */
export const resultInfos = {
  'media-matching': boxMatch,
  'mobile-matching': quadMatch,
  'brand-monitoring': quadMatch,
  'image-similarity': similarity,
  'color-similarity': null,
  filter: null,
} as const;

/** Any of the structures. */
export const resultInfo = Type.Union([boxMatch, quadMatch, similarity]);
export type ResultInfo = Static<typeof resultInfo>;
