import type { Steps } from '../steps.ts';
import type { Verified, VerifyOptions } from './partition.ts';

/**
 * How a type is searched where its references are in a search engine. A reference is a document of terms, and a query has some terms in each of its
 * variants. The votes of a reference are the number of the terms of a variant that it has, in the variant in which that is most; they are at most 2^14.
 * The score is ⌊65,536 × votes / norm of the reference⌋, below 2^24. The pictures with the highest scores, ties by image_id, are compared by `RecordComparison.votes`, and
 * the best of these by `RecordComparison.verify`.
 *
 * All numbers are whole, so every engine that counts exactly finds the same pictures.
 */
export interface TermRule {
  /** @param dna  has passed `checkDna(…, 'reference')` */
  reference(dna: Uint8Array): Steps<ReferenceTerms>;
  /** Equal for a reference and a query made of the same picture: an exact copy, listed before all others. */
  digestOf(dna: Uint8Array): string;
  createComparison(): RecordComparison;
}

export interface ReferenceTerms {
  /** Below 2^28, ascending, none twice. */
  readonly terms: Uint32Array;
  /** What votes are divided by: at least 128, below 2^16. */
  readonly norm: number;
  /** What `RecordComparison` reads of a reference: the beginning for the votes, all for the verdict. */
  readonly beginning: Uint8Array;
  readonly rest: Uint8Array;
}

/** The score of a reference by all features. @param votes  below 2^20 */
export function scoreOf(votes: number, norm: number): number {
  return Math.floor((1024 * votes) / norm);
}

/**
 * Compares queries with references that are not held, as `Partition` does with those that it holds. A query has passed
 * `checkDna(…, 'query')`; the last ones stay prepared.
 */
export interface RecordComparison {
  /** Those of the query in each variant, none twice, ascending. */
  terms(query: Uint8Array): Steps<readonly Uint32Array[]>;
  /** As `Partition.votes`. */
  votes(query: Uint8Array, references: VotedReferences): Steps<Float64Array>;
  /** As `Partition.verify`. */
  verify(query: Uint8Array, references: Iterable<StoredReference>, options?: VerifyOptions): Steps<Verified>;
}

/** Some references in one order. */
export interface VotedReferences {
  /** One behind the other, and the bytes of each. */
  readonly beginnings: Uint8Array;
  readonly lengths: Uint32Array;
  readonly norms: Uint16Array;
}

export interface StoredReference {
  /** By which verdicts name it. */
  readonly image: number;
  /** The beginning and the rest; read until the next reference is taken. */
  readonly record: Uint8Array;
  readonly digest: string;
}
