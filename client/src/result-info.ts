// Made by `npm run docs` from the tables and schemas of the interface.

/** A rectangle with upright sides. */
export interface Box {
  /** x and y as fractions of width and height */
  readonly topLeftPoint: readonly [number, number];
  /** x and y as fractions of width and height */
  readonly bottomRightPoint: readonly [number, number];
}

/** A figure of four corners. */
export interface Quad {
  /** four corners, each x and y as fractions of width and height */
  readonly points: readonly (readonly [number, number])[];
  /** fraction of the surface */
  readonly area: number;
}

/** How a picture matches on Media Matching. */
export interface BoxMatch {
  /** constant */
  readonly category: 'LOCALMATCHING';
  /** the query picture */
  readonly query: {
    /** width and height in pixels, as the picture was described */
    readonly resizedDimensions: readonly [number, number];
    /** the part that shows in the other picture */
    readonly matchingBox: Box;
  };
  /** the reference picture */
  readonly reference: {
    /** width and height in pixels, as the picture was described */
    readonly resizedDimensions: readonly [number, number];
    /** the part that shows in the other picture */
    readonly matchingBox: Box;
  };
  /** the score */
  readonly distance: number;
  /** the map from the reference to the query */
  readonly homography: {
    /** constant */
    readonly source: 'reference';
    /** constant */
    readonly destination: 'query';
    /** nine numbers, row by row, in pixels of `resizedDimensions` */
    readonly coefficients: readonly number[];
  };
  /** `Clone` (the same picture), `Match` (a part of one shows in the other) or `Similar` */
  readonly decision: 'Clone' | 'Match' | 'Similar';
}

/** How a picture matches on Mobile Matching and Brand monitoring, see docs/scores.md. */
export interface QuadMatch {
  /** constant */
  readonly category: 'LOCALMATCHING';
  /** the query picture */
  readonly query: {
    /** width and height in pixels, as the picture was sent */
    readonly originalDimensions: readonly [number, number];
    /** width and height in pixels, as the picture was described */
    readonly resizedDimensions: readonly [number, number];
    /** the part that shows in the other picture */
    readonly matchingBox: Quad;
  };
  /** the reference picture */
  readonly reference: {
    /** width and height in pixels, as the picture was sent */
    readonly originalDimensions: readonly [number, number];
    /** width and height in pixels, as the picture was described */
    readonly resizedDimensions: readonly [number, number];
    /** the part that shows in the other picture */
    readonly matchingBox: Quad;
  };
  /** the score */
  readonly distance: number;
  /** see scores.md */
  readonly scores: {
    /** fraction of the box that has matching points */
    readonly boxCoveredSurface: number;
    /** not to be used; kept for clients that read it */
    readonly boxPointsRatio: number;
    /** matching points by all features of the query inside its box */
    readonly boxPointsRatioHomography: number;
    /** grows with the number of matching points */
    readonly matchStrength: number;
  };
  /** the map from the reference to the query */
  readonly homography: {
    /** constant */
    readonly source: 'reference';
    /** constant */
    readonly destination: 'query';
    /** nine numbers, row by row, in pixels of `resizedDimensions` */
    readonly coefficients: readonly number[];
  };
  /** `Clone`, `Match`, `Rejection due to geometric test` or `Rejection due to shape of the matching box`, see scores.md */
  readonly decision:
    'Clone' | 'Match' | 'Rejection due to geometric test' | 'Rejection due to shape of the matching box';
  /** further places of the reference in the query, on Brand monitoring */
  readonly instances?: readonly Quad[];
}

/** How a picture matches on Image Similarity. */
export interface Similarity {
  /** constant */
  readonly category: 'SIMILARITY';
  /** by colours alone */
  readonly colorScore: number;
  /** by shapes alone */
  readonly shapeScore: number;
  /** the weight of colour in the score */
  readonly colorweight: number;
}

/** How a picture matches, by type of the application. `category` parts the last of them from the others. */
export type ResultInfo = BoxMatch | QuadMatch | Similarity;
