import type { LocalDna } from '../../dna/local.ts';
import type { QueryTerms, ReferenceTerms } from '../../partition/terms.ts';
import type { Steps } from '../../steps.ts';
import { vocabulary } from '../features/vocabulary.ts';
import { occurrences, squaresOf } from './bursts.ts';
import { type Entries, LookUp, type QueryEntries, type TermCosts, type Variants } from './look-up.ts';

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
  const { entries, features } = lookUp().reference(dna);
  const numbers = new Uint32Array(entries.buffer);
  const terms = new Uint32Array(features);
  for (let i = 0; i < features; i++) {
    const [low, high] = [numbers[4 * i + 2], numbers[4 * i + 3]];
    terms[i] = (numbers[4 * i] << TERM_BITS) | bitsOf(low, high);
  }
  const norm = Math.floor(NORM * Math.sqrt(squaresOf(wordsOf({ entries, features, words: 1 }))));
  terms.sort();
  return { terms: terms.filter((term, i) => i === 0 || term !== terms[i - 1]), norm: Math.max(LEAST_NORM, norm) };
}

function bitsOf(low: number, high: number): number {
  return COSTS.bits.reduce((bits, [axis], k) => {
    return bits | ((((axis < 32 ? low : high) >>> (axis & 31)) & 1) << k);
  }, 0);
}

/** A query looked up in the vocabulary, with what each of its terms gains. */
export interface LocalQuery extends QueryEntries, QueryTerms {}

/** @param each  terms of a feature */
export function* queryTermsOf(dna: LocalDna, variants: Variants, each: number): Steps<LocalQuery[]> {
  const looked = yield* lookUp().query(dna, variants, each);
  return looked.map((query) => ({ ...query, gains: gainsOf(query) }));
}

/** What a word weighs, less where the query has it more often. */
function gainsOf(query: QueryEntries): Uint8Array {
  const { idf } = vocabulary();
  const words = wordsOf(query);
  const weights = new Map<number, number>();
  occurrences(words).forEach((times, i) => {
    const weight = Math.floor((3 * idf[words[i]]) / (4 * times));
    weights.set(words[i], Math.max(1, Math.min(MOST_GAIN, weight)));
  });
  return Uint8Array.from(query.terms, (term) => weights.get(term >>> TERM_BITS)!);
}

/** The words of all entries. */
function wordsOf({ entries, features, words }: Entries): Uint32Array {
  const numbers = new Uint32Array(entries.buffer);
  return Uint32Array.from({ length: features * words }, (_, i) => numbers[4 * i]);
}
