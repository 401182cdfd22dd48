import { SUBPIXEL_STEPS, KEYPOINT_BYTES, LEVEL_ZERO_BYTE, ANGLE_OFFSET } from '../../dna/local.ts';
import { NearestHits } from './nearest-hits.ts';

/** Pairs of similar features, one of the query and one of a reference. */
export interface Correspondences {
  readonly count: number;
  /** Number of the query's feature. */
  readonly feature: Uint16Array;
  /** Hamming distance, 0 to 22. */
  readonly distance: Uint8Array;
  /** Of the reference's feature, in pixels of its frame, to half a pixel. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** In 1/256 of a circle, even numbers only. */
  readonly angle: Uint8Array;
  readonly level: Uint8Array;
}

/** Hits kept of one picture: the nearest, of equal ones the first in the order of the entries. */
export const MAX_KEPT_HITS = 6000;
/** The farthest place, in half pixels. */
const MAX_HALF_PIXELS = 1023;

/**
 * @param hits       entry | distance << 16, and the reference's feature of each
 * @param words      entries a feature
 * @param keypoints  of the reference, as in its DNA
 */
export function correspondencesOf(hits: Uint32Array, words: number, keypoints: Uint8Array): Correspondences {
  const half = (at: number): number => {
    const fine = keypoints[at] | (keypoints[at + 1] << 8);
    return Math.min(MAX_HALF_PIXELS, Math.round((2 * fine) / SUBPIXEL_STEPS)) / 2;
  };
  const found = hits.length > 2 * MAX_KEPT_HITS ? nearestOf(hits) : hits;
  const count = found.length / 2;
  const all = {
    count,
    feature: new Uint16Array(count),
    distance: new Uint8Array(count),
    x: new Float32Array(count),
    y: new Float32Array(count),
    angle: new Uint8Array(count),
    level: new Uint8Array(count),
  };
  for (let i = 0; i < count; i++) {
    const head = found[2 * i];
    const place = KEYPOINT_BYTES * found[2 * i + 1];
    all.feature[i] = Math.floor((head & 0xffff) / words);
    all.distance[i] = head >>> 16;
    all.x[i] = half(place);
    all.y[i] = half(place + 2);
    all.angle[i] = (keypoints[place + ANGLE_OFFSET] + 1) & 254;
    all.level[i] = keypoints[place + ANGLE_OFFSET + 1] - LEVEL_ZERO_BYTE;
  }
  return all;
}

function nearestOf(hits: Uint32Array): Uint32Array {
  const nearest = new NearestHits(MAX_KEPT_HITS);
  for (let i = 0; i < hits.length; i += 2) nearest.take(hits[i], hits[i + 1]);
  return nearest.end();
}
