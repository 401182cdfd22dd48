import { Workspace } from '../kernels/workspace.ts';
import { PDQ_BYTES } from './pdq.ts';

/** Hashes that the kernel compares in one call. */
const BLOCK = 16_384;

const HALF_BYTES = PDQ_BYTES / 2;

/** Above every place, so that a number has the distance and the place. */
const PLACES = 4_294_967_296;

export interface NearHash {
  /** From 0, in the list. */
  readonly place: number;
  /** Differing bits, 0 to 256. */
  readonly distance: number;
}

/** A list of PDQ hashes, 32 bytes each, every one of which is compared with a query. */
export class HashIndex {
  readonly count: number;
  readonly #workspace = new Workspace();
  /** The first half of every hash, and the second. */
  readonly #halves: readonly [number, number];
  readonly #query = this.#workspace.take(PDQ_BYTES);
  readonly #out = this.#workspace.take(4 * BLOCK);

  /** @param hashes  one behind the other */
  constructor(hashes: Uint8Array) {
    this.count = hashes.length / PDQ_BYTES;
    const [first, second] = [
      this.#workspace.take(HALF_BYTES * this.count),
      this.#workspace.take(HALF_BYTES * this.count),
    ];
    this.#halves = [first, second];
    const words = new Uint32Array(new Uint8Array(hashes).buffer); // a copy, whose beginning fits
    const [firsts, seconds] = [first, second].map((at) => this.#workspace.integers(at, words.length / 2));
    for (let i = 0; i < words.length; i++) (i & 4 ? seconds! : firsts!)[((i >> 3) << 2) | (i & 3)] = words[i]!;
  }

  hash(place: number): Uint8Array {
    const hash = new Uint8Array(PDQ_BYTES);
    for (const [i, at] of this.#halves.entries())
      hash.set(this.#workspace.bytes(at + HALF_BYTES * place, HALF_BYTES), HALF_BYTES * i);
    return hash;
  }

  /**
   * The hashes that differ in at most `most` bits, the nearest first, equally near ones in the order of the list.
   * @param count  those that are listed; `found` counts all
   */
  search(query: Uint8Array, most: number, count: number): { readonly found: number; readonly near: NearHash[] } {
    const workspace = this.#workspace;
    workspace.bytes(this.#query, PDQ_BYTES).set(query);
    let found = 0;
    let best: number[] = [];
    for (let start = 0; start < this.count; start += BLOCK) {
      const n = Math.min(BLOCK, this.count - start);
      const [firsts, seconds] = [this.#halves[0] + HALF_BYTES * start, this.#halves[1] + HALF_BYTES * start];
      const listed = workspace.kernels.nearHashes(firsts, seconds, n, this.#query, most, this.#out);
      if (listed === 0) continue;
      found += listed;
      const worst = best[count - 1] ?? Infinity;
      for (const each of workspace.integers(this.#out, listed)) {
        const key = (each >>> 16) * PLACES + start + (each & 0xffff);
        if (key < worst) best.push(key);
      }
      best = best.sort((a, b) => a - b).slice(0, count);
    }
    return { found, near: best.map((each) => ({ place: each % PLACES, distance: Math.floor(each / PLACES) })) };
  }
}
