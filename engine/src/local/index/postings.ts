import { vocabulary } from '../features/vocabulary.ts';
import type { ListQuery } from './counted-votes.ts';
import { type Entries, WORDS_PER_QUERY_FEATURE } from './look-up.ts';
import { bitsOf, bitsTable } from './signature-bits.ts';
import type { Postings } from './recent-lists.ts';
import type { LocalQuery } from './terms.ts';

/**
 * The bits of a signature that the lists hold, of each half equally many axes, in the order of the entropy of a bit, given its distance from
 * the median: the key has those with the least, then comes the code. Of the rest, 8 are those that follow, and 8 those of the first axes.
 */
const KEY_AXES = [40, 10, 43, 15, 45, 12, 48, 24];
const CODE_AXES = [27, 52, 16, 55, 23, 50, 9, 44, 17, 41, 14, 47, 11, 46, 13, 42];
const REST_AXES = [35, 3, 34, 2, 33, 1, 32, 0, 60, 20, 53, 7, 58, 8, 39, 28];
const key = bitsTable(KEY_AXES);
const codeAndRest = bitsTable([...REST_AXES, ...CODE_AXES]);

/** How many bits may differ of the key, and for each of the nearest words, which alone are looked up, of key and code, and of all. */
interface Reach {
  readonly key: number;
  readonly words: readonly (readonly [code: number, all: number])[];
}

/** A copy that is mirrored or has inverted colors is mostly the same picture otherwise, so its features are closer. */
const MAX_DIFFERING_BITS: Readonly<Record<LocalQuery['variant'], Reach>> = {
  plain: { key: 2, words: [[6, 9], [5, 8]] }, // prettier-ignore
  mirrored: { key: 1, words: [[6, 6]] },
  inverted: { key: 1, words: [[6, 6]] },
};
/** Features of a query that are looked up under one word: further ones say little, and common words have long lists. */
const MAX_FEATURES_PER_WORD = 3;
/** The part of the look-ups that is kept, those under the rarest words: the others take two fifths of the time and find few pictures more. */
const KEPT_LOOK_UP_SHARE = 0.95;
/** A bound of what a word weighs. */
const MAX_IDF = 0xffff;
/** A bound of what `sortedBy` sorts. */
const SORT_RADIX = 65_536;

/** @param looked  the features of a reference, one word each */
export function postingsOf({ entries, features }: Entries): Postings {
  const numbers = new Uint32Array(entries.buffer);
  const postings = new Uint32Array(2 * features);
  for (let i = 0; i < features; i++) writeFeature(postings, 2 * i, numbers, 4 * i);
  return postings;
}

/** The nearest word of each feature, and of the first half, the strongest ones, the second. */
export function listQueryOf({ entries, features, weights, variant }: LocalQuery): ListQuery {
  const numbers = new Uint32Array(entries.buffer);
  const reach = MAX_DIFFERING_BITS[variant];
  const few = fewOfWord(lookedUp(features, reach.words.length), numbers);
  const { idf } = vocabulary();
  const rarestFirst = sortedBy(few, (i) => MAX_IDF - idf[numbers[4 * i]]);
  const commonest = rarestFirst.subarray(Math.ceil(KEPT_LOOK_UP_SHARE * few.length));
  const left = new Uint8Array(WORDS_PER_QUERY_FEATURE * features);
  for (const i of commonest) left[i] = 1;
  const all = new Uint32Array(4 * (few.length - commonest.length));
  let at = 0;
  for (const i of few) {
    if (left[i]) continue;
    const [code, bits] = reach.words[i % WORDS_PER_QUERY_FEATURE];
    writeFeature(all, at, numbers, 4 * i);
    all[at + 2] = weights[i];
    all[at + 3] = reach.key | (code << 8) | (bits << 16);
    at += 4;
  }
  return all;
}

/** The entries of the nearest word of each feature, and of the second word of half of them. */
function lookedUp(features: number, words: number): Uint32Array {
  const half = words > 1 ? Math.ceil(features / 2) : 0;
  const looked = new Uint32Array(features + half);
  for (let i = 0; i < features; i++) looked[i] = WORDS_PER_QUERY_FEATURE * i;
  for (let i = 0; i < half; i++) looked[features + i] = WORDS_PER_QUERY_FEATURE * i + 1;
  return looked;
}

/** The first `MAX_FEATURES_PER_WORD` of each word, by word. */
function fewOfWord(looked: Uint32Array, numbers: Uint32Array): Uint32Array {
  const byWord = sortedBy(looked, (i) => numbers[4 * i]);
  return byWord.filter(
    (i, k) => k < MAX_FEATURES_PER_WORD || numbers[4 * byWord[k - MAX_FEATURES_PER_WORD]] !== numbers[4 * i],
  );
}

/** Places below `SORT_RADIX` by a number below `SORT_RADIX`, equal ones as they are ordered: rising. */
function sortedBy(places: Uint32Array, by: (place: number) => number): Uint32Array {
  const both = new Uint32Array(places.length);
  for (let k = 0; k < both.length; k++) both[k] = by(places[k]) * SORT_RADIX + places[k];
  both.sort();
  for (let k = 0; k < both.length; k++) both[k] %= SORT_RADIX;
  return both;
}

/** Word and bits of a feature, as the lists have them. @param from  of its entry */
function writeFeature(into: Uint32Array, at: number, entries: Uint32Array, from: number): void {
  const [low, high] = [entries[from + 2], entries[from + 3]];
  into[at] = entries[from] | (bitsOf(key, low, high) << 16);
  into[at + 1] = bitsOf(codeAndRest, low, high);
}
