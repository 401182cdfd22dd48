import type { LocalDna } from '../../dna/local.ts';
import type { Steps } from '../../steps.ts';
import { vocabulary } from '../features/vocabulary.ts';
import { burstNorm, occurrences } from './bursts.ts';
import { type Entries, LookUp, type QueryEntries, type TermCosts, type Variants, wordsOf } from './look-up.ts';

/**
 * The shortlist of a search engine. A term is a word and the 12 bits of the signature that are most certain: word << 12 | bits. Another view of
 * a feature may have another near word, and other bits where it lies close to their medians. So each feature has its likeliest terms, both of a
 * reference and of a query: a query with three meets a reference with six as often as one with six meets a reference with three.
 */

/** Measured on pairs of the same feature in a picture and in an edited copy: axes with the least entropy of a bit, given its distance from the median. See docs/experiments/2026-11-22-finer-terms.md. */
const TERM_COSTS: TermCosts = {
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

/** What a reference's norm is counted in. */
const NORM_UNIT = 16;
/** Pictures with fewer features than this get no more votes for being small: the root of their number. */
const MIN_NORM = 8 * NORM_UNIT;

let shared: LookUp | undefined;

/** The look-up of this thread. */
export function lookUp(): LookUp {
  return (shared ??= new LookUp(TERM_COSTS));
}

/** The likeliest terms of each feature, none twice, ascending. @param each  terms of a feature */
export function* referenceTermsOf(dna: LocalDna, each: number): Steps<Uint32Array> {
  const [{ terms }] = yield* lookUp().query(dna, { plain: 'all' }, each);
  return distinct(terms);
}

/** What the votes of a reference are divided by. */
export function normOf(looked: Entries): number {
  return Math.max(MIN_NORM, Math.floor(NORM_UNIT * burstNorm(wordsOf(looked))));
}

/** A query looked up in the vocabulary, in one variant. */
export interface LocalQuery extends QueryEntries {
  /** Of each entry how much its word weighs in 1/256, less where the query has it more often. */
  readonly weights: Uint16Array;
}

/** The entries of a query in each variant. @param each  terms of a feature */
export function* entriesOf(dna: LocalDna, variants: Variants, each = 0): Steps<LocalQuery[]> {
  const { idf } = vocabulary();
  const looked = yield* lookUp().query(dna, variants, each);
  return looked.map((query) => {
    const words = wordsOf(query);
    return { ...query, weights: occurrences(words).map((times, i) => Math.round(idf[words[i]] / times)) };
  });
}

/**
 * The terms of a query in one variant, none twice, ascending: of the core, whose features are the strongest, `each`. The others have a third
 * as many, and so have all that are mirrored or inverted.
 */
export function termsOf({ core, each, terms }: QueryEntries): Uint32Array {
  return distinct(terms.filter((_, i) => i % each < each / 3 || i < each * core));
}

/** Sorts them. */
function distinct(terms: Uint32Array): Uint32Array {
  return terms.sort().filter((term, i) => i === 0 || term !== terms[i - 1]);
}
