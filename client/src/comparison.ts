import type { Answers } from './operations.ts';

/** Where two pictures that match differ. */
export interface Comparison {
  /** 0 for the same picture; higher, up to 1, the more of it differs and the more strongly. */
  readonly score: number;
  /** The largest first. */
  readonly regions: readonly Region[];
  /** Nine numbers, row by row: from pixels of the first JPEG to pixels of the second. */
  readonly homography: readonly number[];
  /** JPEG: the first picture with its differences marked. */
  readonly reference: Uint8Array;
  /** JPEG: the second one. */
  readonly query: Uint8Array;
}

/** Where the pictures differ, as boxes in both, and how strongly: in (0, 1]. */
export type Region = Answers['query']['FineComparison']['regions'][number];
