import { type Hits, REACH } from './hits.ts';

/** The weight of a Hamming distance: 256 at 0, 101 at 10, 0 at the reach; true hits mostly have 8 to 10 bits, hits by chance 17 to 20. */
const WEIGHTS = Uint16Array.from({ length: REACH + 1 }, (_, d) => {
  const near = 1 - (d * d) / (22 * 22);
  return Math.round(256 * near * near * near * near);
});

/** How much each slot shares with a query: each feature gives each slot the weight of its best hit, once. */
export class Votes {
  /** By slot. */
  readonly all: Uint32Array;
  readonly #words: number;
  readonly #wordWeights: Uint16Array;
  readonly #only: Uint8Array | null;
  /** By the feature that gave last. */
  readonly #given: Uint32Array;
  /** Counted from 1. */
  readonly #giver: Uint32Array;

  /**
   * @param words  entries a feature
   * @param wordWeights  for each entry how much its word weighs in the query
   * @param only   not 0 for the slots to count; null for all
   * @param slots  how many slots there are
   */
  constructor(words: number, wordWeights: Uint16Array, only: Uint8Array | null, slots: number) {
    this.#words = words;
    this.#wordWeights = wordWeights;
    this.#only = only;
    this.all = new Uint32Array(slots);
    this.#given = new Uint32Array(slots);
    this.#giver = new Uint32Array(slots);
  }

  /** In the order of the entries. */
  count(piece: Hits): void {
    const [votes, given, giver, wordWeights, only, words] = [
      this.all,
      this.#given,
      this.#giver,
      this.#wordWeights,
      this.#only,
      this.#words,
    ];
    for (let i = 0; i < piece.length; i += 3) {
      const slot = piece[i + 1];
      if (only !== null && only[slot] === 0) continue;
      const entry = piece[i] & 0xffff;
      const gain = wordWeights[entry] * WEIGHTS[piece[i] >>> 16];
      const feature = 1 + Math.floor(entry / words);
      if (giver[slot] !== feature) {
        giver[slot] = feature;
        given[slot] = gain;
        votes[slot] += gain;
      } else if (gain > given[slot]) {
        votes[slot] += gain - given[slot];
        given[slot] = gain;
      }
    }
  }
}
