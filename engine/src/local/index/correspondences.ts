import type { Keypoints } from '../../dna/local.ts';
import type { Hits } from './hits.ts';

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

/** Hits kept of one picture. */
const ROOM = 1500;

/** Collects the correspondences of some slots. */
export class Gathering {
  readonly #words: number;
  readonly #slots: number;
  readonly #rankOf: Int32Array;
  readonly #counts: Uint32Array;
  /** Head and place of the hits of each slot, `ROOM` for each. */
  readonly #found: Uint32Array;

  /** @param words  entries a feature */
  constructor(words: number, slots: readonly number[]) {
    const end = slots.reduce((most, slot) => Math.max(most, slot + 1), 0);
    const needed = 2 * ROOM * slots.length;
    this.#words = words;
    this.#slots = slots.length;
    this.#rankOf = new Int32Array(end).fill(-1);
    slots.forEach((slot, rank) => (this.#rankOf[slot] = rank));
    this.#counts = new Uint32Array(slots.length);
    this.#found = free.length >= needed ? free : new Uint32Array(needed);
    free = new Uint32Array(0);
  }

  take(piece: Hits): void {
    const [rankOf, counts, found] = [this.#rankOf, this.#counts, this.#found];
    for (let i = 0; i < piece.length; i += 3) {
      const slot = piece[i + 1];
      if (slot >= rankOf.length) continue;
      const rank = rankOf[slot];
      if (rank < 0 || counts[rank] === ROOM) continue;
      const at = 2 * (ROOM * rank + counts[rank]++);
      found[at] = piece[i];
      found[at + 1] = piece[i + 2];
    }
  }

  /** In the order of the slots. Nothing can be taken afterwards. */
  end(): Correspondences[] {
    const all = Array.from({ length: this.#slots }, (_, rank) =>
      unpacked(this.#found.subarray(2 * ROOM * rank), this.#counts[rank], this.#words),
    );
    if (this.#found.length > free.length && this.#found.length <= KEPT) free = this.#found;
    return all;
  }
}

/** Numbers of a gathering that are kept for the next one. */
const KEPT = 2 * ROOM * 50;
/** Room of a gathering that has ended. */
let free: Uint32Array = new Uint32Array(0);

/** x and y in half pixels (10 bits each), turn in 1/128 (7 bits), level (5 bits). */
export function packedPlaces({ x, y, turn, level }: Keypoints): Uint32Array {
  return Uint32Array.from(x, (px, i) => {
    const half = (v: number): number => Math.min(1023, Math.round(2 * v));
    const places = half(px) | (half(y[i]) << 10) | ((((turn[i] + 1) >> 1) & 127) << 20);
    return (places | (level[i] << 27)) >>> 0;
  });
}

function unpacked(found: Uint32Array, count: number, words: number): Correspondences {
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
