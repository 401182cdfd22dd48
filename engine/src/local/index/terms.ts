import type { LocalDna } from '../../dna/local.ts';
import type { QueryTerms, ReferenceTerms } from '../../partition/terms.ts';
import type { Steps } from '../../steps.ts';
import { vocabulary, WORDS } from '../features/vocabulary.ts';
import { burstNorm, occurrences } from './bursts.ts';
import { bitsOf, bitsTable } from './signature-bits.ts';
import { type Entries, LookUp, type QueryEntries, type TermCosts, type Variants, wordsOf } from './look-up.ts';

/**
 * The shortlist by terms. A term is a word and the 12 bits of the signature that are most certain: word << 12 | bits. A feature of
 * a reference has one; a feature of a query is looked up under its likeliest ones, since another view of the same feature may have another
 * near word, and other bits where it lies close to their medians. A reference gets the largest gain of each feature, once.
 *
 * All numbers are whole, so every index gives the same votes.
 */

/** Measured on pairs of the same feature in a picture and in an edited copy: axes with the least entropy of a bit, given its distance from the median. See docs/experiments/2026-11-22-finer-terms.md. */
const COSTS: TermCosts = {
  bits: [
    ...([[24, 5550], [12, 3443], [15, 3788], [10, 3091], [13, 3425], [11, 3285]] as const), // prettier-ignore
    ...([[48, 3998], [45, 3164], [43, 2848], [40, 2634], [42, 2942], [46, 3477]] as const), // prettier-ignore
  ],
  words: [
    [0, 0],
    [14, 7200],
    [28, 7200],
  ],
};

/** Bits of a term beside its word. */
export const TERM_BITS = 12;
const MOST_GAIN = 255;
/** What a reference's norm is counted in. */
const NORM = 16;
/** Pictures with fewer features than this get no more votes for being small: the root of their number. */
const LEAST_NORM = 8 * NORM;

let shared: LookUp | undefined;

/** The look-up of this thread. */
export function lookUp(): LookUp {
  return (shared ??= new LookUp(COSTS));
}

export function referenceTermsOf(dna: LocalDna): ReferenceTerms {
  return termsOf(lookUp().reference(dna));
}

/** @param looked  the features of a reference, one word each */
export function termsOf(looked: Entries): ReferenceTerms {
  const { entries, features } = looked;
  const numbers = new Uint32Array(entries.buffer);
  const terms = new Uint32Array(features);
  for (let i = 0; i < features; i++) {
    terms[i] = (numbers[4 * i] << TERM_BITS) | bitsOf(termBits, numbers[4 * i + 2], numbers[4 * i + 3]);
  }
  terms.sort();
  return { terms: terms.filter((term, i) => i === 0 || term !== terms[i - 1]), norm: normOf(looked) };
}

/** What the votes of a reference are divided by. */
export function normOf(looked: Entries): number {
  return Math.max(LEAST_NORM, Math.floor(NORM * burstNorm(wordsOf(looked))));
}

const termBits = bitsTable(COSTS.bits.map(([axis]) => axis));

/** A query looked up in the vocabulary, in one variant. */
export interface LocalQuery extends QueryEntries, QueryTerms {
  /** Of each entry how much its word weighs in 1/256, less where the query has it more often. */
  readonly weights: Uint16Array;
}

/** @param each  terms of a feature; 0 for none */
export function* queryTermsOf(dna: LocalDna, variants: Variants, each: number): Steps<LocalQuery[]> {
  const { idf } = vocabulary();
  const looked = yield* lookUp().query(dna, variants, each);
  return looked.map((query) => {
    const words = wordsOf(query);
    const times = occurrences(words);
    const weights = times.map((times, i) => Math.round(idf[words[i]] / times));
    const gains = new Uint8Array(query.terms.length);
    if (each === 0) return { ...query, gains, weights };
    for (let i = 0; i < words.length; i++) gainOfWord[words[i]] = gainOf(idf[words[i]], times[i]);
    for (let i = 0; i < gains.length; i++) gains[i] = gainOfWord[query.terms[i] >>> TERM_BITS];
    sortByGain(query.terms, gains, each);
    return { ...query, gains, weights };
  });
}

/** Of the words of the query that is looked up. */
const gainOfWord = new Uint8Array(WORDS);

function gainOf(idf: number, times: number): number {
  return Math.max(1, Math.min(MOST_GAIN, Math.floor((3 * idf) / (4 * times))));
}

/** The terms of each feature, the largest gain first; equal ones stay in their order. */
function sortByGain(terms: Uint32Array, gains: Uint8Array, each: number): void {
  for (let start = 0; start < terms.length; start += each) {
    for (let i = start + 1; i < start + each; i++) {
      const term = terms[i];
      const gain = gains[i];
      let at = i;
      for (; at > start && gains[at - 1] < gain; at--) {
        terms[at] = terms[at - 1];
        gains[at] = gains[at - 1];
      }
      terms[at] = term;
      gains[at] = gain;
    }
  }
}
