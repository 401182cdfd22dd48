import type { Keypoints } from '../../dna/local.ts';
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
  /** In 1/256 turn, even numbers only. */
  readonly turn: Uint8Array;
  readonly level: Uint8Array;
}

/** Hits kept of one picture: the nearest, of equal ones the first in the order of the entries. */
export const MOST_KEPT = 6000;

/** x and y in half pixels (10 bits each), turn in 1/128 (7 bits), level (5 bits). */
export function packedPlaces({ x, y, turn, level }: Keypoints): Uint32Array {
  return Uint32Array.from(x, (px, i) => {
    const half = (v: number): number => Math.min(1023, Math.round(2 * v));
    const places = half(px) | (half(y[i]) << 10) | ((((turn[i] + 1) >> 1) & 127) << 20);
    return (places | (level[i] << 27)) >>> 0;
  });
}

/**
 * @param hits    entry | distance << 16, and the reference's feature of each
 * @param words   entries a feature
 * @param places  of the reference's features, see `packedPlaces`
 */
export function correspondencesOf(hits: Uint32Array, words: number, places: Uint32Array): Correspondences {
  const nearest = new NearestHits(MOST_KEPT);
  for (let i = 0; i < hits.length; i += 2) nearest.take(hits[i], hits[i + 1]);
  const found = nearest.end();
  const count = found.length / 2;
  const all = {
    count,
    feature: new Uint16Array(count),
    distance: new Uint8Array(count),
    x: new Float32Array(count),
    y: new Float32Array(count),
    turn: new Uint8Array(count),
    level: new Uint8Array(count),
  };
  for (let i = 0; i < count; i++) {
    const head = found[2 * i];
    const place = places[found[2 * i + 1]];
    all.feature[i] = Math.floor((head & 0xffff) / words);
    all.distance[i] = head >>> 16;
    all.x[i] = (place & 1023) / 2;
    all.y[i] = ((place >>> 10) & 1023) / 2;
    all.turn[i] = ((place >>> 20) & 127) * 2;
    all.level[i] = place >>> 27;
  }
  return all;
}
