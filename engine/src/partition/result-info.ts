import type { Box, Point } from '../geometry/frame.ts';

/**
 * How a picture matches, by application type. The order of the fields is the order in the answers of the service. These
 * types are the engine's own, so that it needs nothing else; where answers are made, the compiler compares them with the
 * contract of the interface.
 */
export type ResultInfo = BoxMatch | QuadMatch | Similarity;

/** What two pictures have in common; docs/decisions.md defines the words. */
export type Relation =
  | 'copy'
  | 'part'
  | 'montage'
  | 'same frame'
  | 'same form'
  | 'same design'
  | 'other view'
  | 'related';

/** A reference and a query of Media Matching. */
export interface BoxMatch {
  readonly category: 'LOCALMATCHING';
  readonly query: BoxSide;
  readonly reference: BoxSide;
  /** The score. */
  readonly distance: number;
  readonly homography: HomographyInfo;
  readonly decision: 'Clone' | 'Match' | 'Similar';
  readonly relation: Relation;
  /** 4 decimals. */
  readonly false_match_probability: number;
  /** Share of the overlap in which both pictures agree, 4 decimals; absent where it has too few cells. */
  readonly agreeingShare?: number;
}

export interface BoxSide {
  /** In pixels of the frame, in which the homography is given too. */
  readonly resizedDimensions: Point;
  readonly matchingBox: Box;
}

/** A reference and a query of Mobile Matching or Brand monitoring; docs/decisions.md defines the fields. */
export interface QuadMatch {
  readonly category: 'LOCALMATCHING';
  readonly query: QuadSide;
  readonly reference: QuadSide;
  /** The score. */
  readonly distance: number;
  readonly scores: QuadScores;
  readonly homography: HomographyInfo;
  readonly decision: QuadDecision;
  /** Absent for a rejection of which nothing is known. */
  readonly relation?: Relation;
  /** Further places of the reference in the query, the surest first; at least one. */
  readonly instances?: readonly Quad[];
  /** Share of the overlap in which both pictures agree, 4 decimals; absent where it has too few cells. */
  readonly agreeingShare?: number;
}

export type QuadDecision =
  | 'Clone'
  | 'Match'
  | 'Rejection due to geometric test'
  | 'Rejection due to shape of the matching box';

export interface QuadSide {
  readonly originalDimensions: Point;
  readonly resizedDimensions: Point;
  readonly matchingBox: Quad;
}

export interface Quad {
  /** Four corners, as fractions of width and height with 4 decimals. */
  readonly points: readonly Point[];
  /** Fraction of the surface. */
  readonly area: number;
}

/** Each in [0, 1] with 4 decimals. */
export interface QuadScores {
  readonly boxCoveredSurface: number;
  readonly boxPointsRatio: number;
  readonly boxPointsRatioHomography: number;
  readonly matchStrength: number;
}

export interface HomographyInfo {
  readonly source: 'reference';
  readonly destination: 'query';
  /** Nine numbers, row by row, with 9 digits. */
  readonly coefficients: readonly number[];
}

/** A reference and a query of Image Similarity; score = (1 - colorweight) * shapeScore + colorweight * colorScore. */
export interface Similarity {
  readonly category: 'SIMILARITY';
  readonly colorScore: number;
  readonly shapeScore: number;
  readonly colorweight: number;
}

/** The map from a reference to a query, as result_info has it. */
export function homographyInfo(homography: readonly number[]): HomographyInfo {
  return {
    source: 'reference',
    destination: 'query',
    coefficients: homography.map((value) => Number(value.toPrecision(9))),
  };
}
