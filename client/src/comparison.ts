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

export interface Region {
  readonly reference: Box;
  readonly query: Box;
  /** In (0, 1]. */
  readonly strength: number;
}

/** Corners as fractions of width and height. */
export interface Box {
  readonly topLeftPoint: readonly [x: number, y: number];
  readonly bottomRightPoint: readonly [x: number, y: number];
}
