import type { Keypoints } from '../../dna/local.ts';
import { levelScale } from '../features/pyramid.ts';
import type { Correspondences } from '../index/correspondences.ts';

/** Correspondences with the keypoints of both pictures, the likeliest first. Positions in pixels of either frame; index i of every array is correspondence i. */
export interface Tentative {
  readonly count: number;
  /** Number of the query's feature. */
  readonly feature: Uint16Array;
  readonly distance: Uint8Array;
  readonly rx: Float64Array;
  readonly ry: Float64Array;
  readonly qx: Float64Array;
  readonly qy: Float64Array;
  /** By how much the patch is rotated from reference to query, in 1/256 of a circle. */
  readonly angle: Uint8Array;
  /** Width of a pixel of the feature's level, in frame pixels. */
  readonly rScale: Float64Array;
  readonly qScale: Float64Array;
}

/** With more correspondences than this, a picture repeats itself, and most of those that are alike are wrong. */
const MIN_REPETITIVE_CORRESPONDENCES = 500;
/** How much each doubling of the correspondences that share a feature or a place counts, in bits of the distance. */
const BITS_PER_DOUBLING = 2;

const scales = Float64Array.from({ length: 48 }, (_, i) => levelScale(i - 16));

/** How wide a pixel of a level is, for levels -16 to 31. */
export function scaleOf(level: number): number {
  return scales[level + 16];
}

/** The keypoints of the mirror image of a picture of this width. */
export function mirrorKeypoints({ x, y, angle, level }: Keypoints, width: number): Keypoints {
  return { x: x.map((px) => width - px), y, angle: angle.map((t) => (128 - t) & 255), level };
}

/** Room for so many correspondences. */
export function emptyTentative(count: number) {
  return {
    count,
    feature: new Uint16Array(count),
    distance: new Uint8Array(count),
    rx: new Float64Array(count),
    ry: new Float64Array(count),
    qx: new Float64Array(count),
    qy: new Float64Array(count),
    angle: new Uint8Array(count),
    rScale: new Float64Array(count),
    qScale: new Float64Array(count),
  };
}

/** Some of the correspondences, in the same order. */
export function partOf<Columns extends { readonly count: number }>(all: Columns, kept: readonly number[]): Columns {
  const some: Record<string, unknown> = { ...all, count: kept.length };
  for (const [name, column] of Object.entries(all as object) as [string, number | Uint8Array][]) {
    if (typeof column === 'number') continue;
    some[name] = (column.constructor as Uint8ArrayConstructor).from(kept, (i) => column[i]); // of its own kind
  }
  return some as unknown as Columns;
}

/** By rising distance; in pictures that repeat themselves, those are later whose feature or place has many others. */
export function tentative(found: Correspondences, query: Keypoints): Tentative {
  const order = ascending(found.count > MIN_REPETITIVE_CORRESPONDENCES ? ambiguity(found) : found.distance);
  const count = order.length;
  const pairs = emptyTentative(count);
  for (let k = 0; k < count; k++) {
    const i = order[k];
    const f = found.feature[i];
    pairs.feature[k] = f;
    pairs.distance[k] = found.distance[i];
    pairs.rx[k] = found.x[i];
    pairs.ry[k] = found.y[i];
    pairs.qx[k] = query.x[f];
    pairs.qy[k] = query.y[f];
    pairs.angle[k] = (query.angle[f] - found.angle[i]) & 255;
    pairs.rScale[k] = scaleOf(found.level[i]);
    pairs.qScale[k] = scaleOf(query.level[f]);
  }
  return pairs;
}

/** The distance, and more for a correspondence whose feature or whose place in the reference has many others. */
function ambiguity({ feature, distance, x, y }: Correspondences): Uint8Array {
  const { ofFeature, ofPlace } = timesOf(feature, x, y);
  const doublings = (times: number): number => 31 - Math.clz32(times);
  return distance.map((bits, i) => bits + BITS_PER_DOUBLING * (doublings(ofFeature[i]) + doublings(ofPlace[i])));
}

/**
 * For each correspondence how many have its feature, and how many its place in the reference.
 * @param x  of the reference's features, as are `y`: multiples of half a pixel
 */
export function timesOf(feature: Uint16Array, x: ArrayLike<number>, y: ArrayLike<number>) {
  const places = Uint32Array.from(feature, (_, i) => 2048 * y[i] + 2 * x[i]);
  return { ofFeature: timesIn(feature), ofPlace: timesIn(places) };
}

/** For each value how often it occurs. */
function timesIn(values: Uint16Array | Uint32Array): Uint32Array {
  const times = new Map<number, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  return Uint32Array.from(values, (value) => times.get(value)!);
}

/** Numbers by rising rank, equal ones in order: a counting sort. */
function ascending(ranks: Uint8Array): Uint32Array {
  const starts = new Uint32Array(257);
  for (let i = 0; i < ranks.length; i++) starts[ranks[i] + 1]++;
  for (let d = 1; d < starts.length; d++) starts[d] += starts[d - 1];
  const order = new Uint32Array(ranks.length);
  for (let i = 0; i < ranks.length; i++) order[starts[ranks[i]]++] = i;
  return order;
}
