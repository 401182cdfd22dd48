import type { Keypoints } from '../../dna/local.ts';
import type { Hits } from './hits.ts';
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

/** Collects the correspondences of some slots. */
export class Gathering {
  readonly #words: number;
  readonly #rankOf: Int32Array;
  readonly #nearest: readonly NearestHits[];

  /** @param words  entries a feature */
  constructor(words: number, slots: readonly number[]) {
    const end = slots.reduce((most, slot) => Math.max(most, slot + 1), 0);
    this.#words = words;
    this.#rankOf = new Int32Array(end).fill(-1);
    slots.forEach((slot, rank) => (this.#rankOf[slot] = rank));
    this.#nearest = slots.map(() => new NearestHits(MOST_KEPT));
  }

  take(piece: Hits): void {
    const [rankOf, nearest] = [this.#rankOf, this.#nearest];
    for (let i = 0; i < piece.length; i += 3) {
      const slot = piece[i + 1];
      if (slot >= rankOf.length) continue;
      const rank = rankOf[slot];
      if (rank >= 0) nearest[rank].take(piece[i], piece[i + 2]);
    }
  }

  /** In the order of the slots. Nothing can be taken afterwards. */
  end(): Correspondences[] {
    return this.#nearest.map((hits) => unpacked(hits.end(), this.#words));
  }
}

/** x and y in half pixels (10 bits each), turn in 1/128 (7 bits), level (5 bits). */
export function packedPlaces({ x, y, turn, level }: Keypoints): Uint32Array {
  return Uint32Array.from(x, (px, i) => {
    const half = (v: number): number => Math.min(1023, Math.round(2 * v));
    const places = half(px) | (half(y[i]) << 10) | ((((turn[i] + 1) >> 1) & 127) << 20);
    return (places | (level[i] << 27)) >>> 0;
  });
}

/** @param found  head and place of each hit */
function unpacked(found: Uint32Array, words: number): Correspondences {
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
    const place = found[2 * i + 1];
    all.feature[i] = Math.floor((head & 0xffff) / words);
    all.distance[i] = head >>> 16;
    all.x[i] = (place & 1023) / 2;
    all.y[i] = ((place >>> 10) & 1023) / 2;
    all.turn[i] = ((place >>> 20) & 127) * 2;
    all.level[i] = place >>> 27;
  }
  return all;
}
