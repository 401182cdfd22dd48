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

/** How many bits of the key may differ, and in all for each of the nearest words, which alone are looked up. */
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
/** Features of a query that are looked up under one word: further ones say little, and common words have long lists. */
const MOST_OF_WORD = 3;

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

/** The nearest word of each feature, and of the first half, the strongest ones, the second. */
export function listQueryOf({ entries, features, weights, variant }: LocalQuery): ListQuery {
  const numbers = new Uint32Array(entries.buffer);
  const { key, words } = REACH[variant];
  const looked = Array.from(words, (_, k) => numbersBelow(k === 0 ? features : features / 2, QUERY_WORDS, k)).flat();
  const wordAt = (i: number): number => numbers[4 * i];
  looked.sort((i, j) => wordAt(i) - wordAt(j) || i - j);
  const kept = looked.filter((i, k) => k < MOST_OF_WORD || wordAt(looked[k - MOST_OF_WORD]) !== wordAt(i));
  const all = new Uint32Array(4 * kept.length);
  kept.forEach((i, k) => {
    const reach = words[i % QUERY_WORDS];
    all.set([wordAt(i), bitsOf(bits, numbers[4 * i + 2], numbers[4 * i + 3]), weights[i], key | (reach << 16)], 4 * k);
  });
  return all;
}

/** `first`, `first + step` and so on, as many as are below `count`. */
function numbersBelow(count: number, step: number, first: number): number[] {
  return Array.from({ length: Math.ceil(count) }, (_, i) => step * i + first);
}
