import type { Keypoints } from '../../dna/local.ts';
import { levelScale } from '../features/pyramid.ts';
import type { Correspondences } from '../index/correspondences.ts';

/** Correspondences with the keypoints of both pictures, by falling similarity. Positions in pixels of either frame; index i of every array is correspondence i. */
export interface Tentative {
  readonly count: number;
  /** How many there were before the least alike were left out. */
  readonly found: number;
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

/** More correspondences than this add nothing. */
const MOST = 500;

const scales = Float64Array.from({ length: 48 }, (_, i) => levelScale(i - 16));

/** How wide a pixel of a level is, for levels -16 to 31. */
export function scaleOf(level: number): number {
  return scales[level + 16];
}

/** The keypoints of the mirror image of a picture of this width. */
export function mirrorKeypoints({ x, y, turn, level }: Keypoints, width: number): Keypoints {
  return { x: x.map((px) => width - px), y, turn: turn.map((t) => (128 - t) & 255), level };
}

/** Room for so many correspondences. @param found  how many there were before some were left out */
export function emptyTentative(count: number, found: number) {
  return {
    count,
    found,
    feature: new Uint16Array(count),
    distance: new Uint8Array(count),
    rx: new Float64Array(count),
    ry: new Float64Array(count),
    qx: new Float64Array(count),
    qy: new Float64Array(count),
    turn: new Uint8Array(count),
    rScale: new Float64Array(count),
    qScale: new Float64Array(count),
  };
}

/** At most the `MOST` correspondences that are most alike, of equal ones those found first. */
export function tentative(found: Correspondences, query: Keypoints): Tentative {
  const order = mostAlike(found.distance);
  const count = order.length;
  const pairs = emptyTentative(count, found.count);
  for (let k = 0; k < count; k++) {
    const i = order[k];
    const f = found.feature[i];
    pairs.feature[k] = f;
    pairs.distance[k] = found.distance[i];
    pairs.rx[k] = found.x[i];
    pairs.ry[k] = found.y[i];
    pairs.qx[k] = query.x[f];
    pairs.qy[k] = query.y[f];
    pairs.turn[k] = (query.turn[f] - found.turn[i]) & 255;
    pairs.rScale[k] = scaleOf(found.level[i]);
    pairs.qScale[k] = scaleOf(query.level[f]);
  }
  return pairs;
}

/** Numbers by rising distance, equal ones in order: a counting sort, cut off at `MOST`. */
function mostAlike(distance: Uint8Array): Uint32Array {
  const starts = new Uint32Array(66);
  for (let i = 0; i < distance.length; i++) starts[distance[i] + 1]++;
  for (let d = 1; d < starts.length; d++) starts[d] += starts[d - 1];
  const order = new Uint32Array(distance.length);
  for (let i = 0; i < distance.length; i++) order[starts[distance[i]]++] = i;
  return order.subarray(0, MOST);
}
