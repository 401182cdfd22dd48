import type { Steps } from '../steps.ts';

/**
 * How a type makes its shortlist, for an index of any kind: an inverted index in memory, or a search engine. A reference is a
 * document of terms. It gets for each feature of a variant of the query the largest gain of those of its terms that the document
 * has; the votes are the sum over the features, in the variant in which that is most. `scoreOf` divides by the norm of the reference.
 * The shortlist has the pictures of the highest scores, ties by image_id; a score of 0 is none.
 *
 * All numbers are whole, so every index that counts exactly gives the same shortlist.
 */
export interface TermRule {
  /** @param dna  has passed `checkDna(…, 'reference')` */
  reference(dna: Uint8Array): ReferenceTerms;
  /** @param dna  has passed `checkDna(…, 'query')` */
  query(dna: Uint8Array): Steps<readonly QueryTerms[]>;
  /** Equal for a reference and a query made of the same picture: an exact copy, listed before all others. */
  digestOf(dna: Uint8Array): string;
}

export interface ReferenceTerms {
  /** Below 2^28, ascending, none twice. */
  readonly terms: Uint32Array;
  /** What votes are divided by: at least 128, below 2^16. */
  readonly norm: number;
}

/** A query in one variant. */
export interface QueryTerms {
  readonly features: number;
  /** Terms a feature. */
  readonly each: number;
  /** `each` a feature, none twice in one feature. */
  readonly terms: Uint32Array;
  /** Of each term, 1 to 255; of a feature the largest first. */
  readonly gains: Uint8Array;
}

/** The score of a reference. @param votes  below 2^20 */
export function scoreOf(votes: number, norm: number): number {
  return Math.floor((1024 * votes) / norm);
}
