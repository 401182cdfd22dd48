import type { ListQuery, Postings } from './feature-lists.ts';
import { type Entries, QUERY_WORDS } from './look-up.ts';
import { bitsOf, bitsTable } from './signature-bits.ts';
import type { LocalQuery } from './terms.ts';

/**
 * The bits of a signature that the lists hold, those of the key last: of each half the 12 axes with the least entropy of a bit, given its
 * distance from the median; the key has the best ones.
 */
const AXES = [...[27, 52, 16, 55, 23, 50, 9, 44, 17, 41, 14, 47, 11, 46, 13, 42], ...[40, 10, 43, 15, 45, 12, 48, 24]];
const bits = bitsTable(AXES);

/** How many bits may differ: of the key, and in all for the nearest words, which alone are looked up. */
interface Reach {
  readonly key: number;
  readonly words: readonly number[];
}

/** A copy that is mirrored or has inverted colors is mostly the same picture otherwise, so its features are closer. */
const REACH: Readonly<Record<LocalQuery['variant'], Reach>> = {
  plain: { key: 2, words: [5, 4] },
  mirrored: { key: 1, words: [3] },
  inverted: { key: 1, words: [3] },
};

/** @param looked  the features of a reference, one word each */
export function postingsOf({ entries, features }: Entries): Postings {
  const numbers = new Uint32Array(entries.buffer);
  const postings = new Uint32Array(2 * features);
  for (let i = 0; i < features; i++) {
    postings[2 * i] = numbers[4 * i];
    postings[2 * i + 1] = bitsOf(bits, numbers[4 * i + 2], numbers[4 * i + 3]);
  }
  return postings;
}

export function listQueryOf({ entries, features, weights, variant }: LocalQuery): ListQuery {
  const numbers = new Uint32Array(entries.buffer);
  const { key, words } = REACH[variant];
  const all = new Uint32Array(4 * words.length * features);
  for (let feature = 0, at = 0; feature < features; feature++) {
    for (let k = 0; k < words.length; k++, at += 4) {
      const i = QUERY_WORDS * feature + k;
      all[at] = numbers[4 * i];
      all[at + 1] = bitsOf(bits, numbers[4 * i + 2], numbers[4 * i + 3]);
      all[at + 2] = weights[i];
      all[at + 3] = key | (words[k] << 16);
    }
  }
  return { entries: all, each: words.length };
}
