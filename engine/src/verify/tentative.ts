import type { Keypoints } from '../dna/local.ts';
import { levelScale } from '../features/pyramid.ts';
import type { Correspondences } from '../index/invertedIndex.ts';

/** Correspondences with both ends filled in, most alike first. Places in pixels of either frame; arrays in step. */
export interface Tentative {
  readonly count: number;
  /** Number of the query's feature. */
  readonly feature: Uint16Array;
  readonly distance: Uint8Array;
  readonly rx: Float64Array;
  readonly ry: Float64Array;
  readonly qx: Float64Array;
  readonly qy: Float64Array;
  /** By how much the patch is turned from reference to query, in 1/256 turn. */
  readonly turn: Uint8Array;
  /** Width of a pixel of the feature's level, in frame pixels. */
  readonly rScale: Float64Array;
  readonly qScale: Float64Array;
}

const scales = Float64Array.from({ length: 48 }, (_, i) => levelScale(i - 16));

/** How wide a pixel of a level is, for levels -16 to 31. */
export function scaleOf(level: number): number {
  return scales[level + 16];
}

/** The keypoints of the mirror image of a picture of this width. */
export function mirrorKeypoints({ x, y, turn, level }: Keypoints, width: number): Keypoints {
  return { x: x.map((px) => width - px), y, turn: turn.map((t) => (128 - t) & 255), level };
}

export function tentative(found: Correspondences, query: Keypoints): Tentative {
  const order = Uint32Array.from({ length: found.count }, (_, i) => i).sort(
    (a, b) => found.distance[a] - found.distance[b] || a - b,
  );
  const feature = Uint16Array.from(order, (i) => found.feature[i]);
  const numbers = (value: (i: number) => number): Float64Array => Float64Array.from(order, value);
  return {
    count: found.count,
    feature,
    distance: Uint8Array.from(order, (i) => found.distance[i]),
    rx: numbers((i) => found.x[i]),
    ry: numbers((i) => found.y[i]),
    qx: Float64Array.from(feature, (f) => query.x[f]),
    qy: Float64Array.from(feature, (f) => query.y[f]),
    turn: Uint8Array.from(order, (i, k) => (query.turn[feature[k]] - found.turn[i]) & 255),
    rScale: numbers((i) => scaleOf(found.level[i])),
    qScale: Float64Array.from(feature, (f) => scaleOf(query.level[f])),
  };
}
