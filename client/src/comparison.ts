import type { Picture } from './form.ts';
import type { Answers } from './operations.generated.ts';

/** The differences of two pictures that match. */
export interface Comparison {
  /** 0 for the same picture, up to 1: the sum of area times strength of the differences. */
  readonly score: number;
  /** The largest first. */
  readonly regions: readonly Region[];
  /** Strips along the rim where the content of one picture ends, as in scans and frames. They are no differences. */
  readonly rimStrips: readonly Region[];
  /** Whether the thumbnail of a reference picture was compared: the smallest differences may be missing. */
  readonly coarse: boolean;
  /** Nine numbers, row by row: the map from pixels of the first JPEG to pixels of the second. */
  readonly homography: readonly number[];
  /** JPEG: the first picture with its differences marked. */
  readonly reference: Uint8Array;
  /** JPEG: the second one. */
  readonly query: Uint8Array;
}

/** A picture to compare: its file or address, or a reference picture of the application, whose thumbnail is compared. */
export type Compared = Picture | { readonly id: string };

export function wireCompared(picture: Compared, side: 'reference' | 'query') {
  if ('id' in picture) return { [`${side}_id`]: picture.id };
  return picture instanceof URL ? { [`${side}_url`]: picture.href } : { [`${side}_image`]: picture };
}

/** A difference as boxes in both pictures, with its strength in (0, 1]. */
export type Region = Answers['query']['FineComparison']['regions'][number];
