import type { Fill, Grouping } from '../color/prevalent.ts';
import type { Steps } from '../steps.ts';
import type { ResultInfo } from './result-info.ts';
import type { Selection } from './selection.ts';
import type { Restorable } from './snapshot.ts';

/** The number of a reference picture in a partition. It is given once and never used again. */
export type ImageNumber = number;

/**
 * The reference pictures of one application, or a part of them (a shard). The result for a picture never depends on the
 * other pictures, so parts can be merged: candidates by (exact first, votes descending, image_id by bytes), matches by
 * (score, image_id by bytes).
 *
 * Long calls run in steps of at most about a millisecond. A call ends before the next one begins, except `snapshot`.
 */
export interface Partition extends Partial<Restorable> {
  /** Number of pictures held. */
  readonly count: number;
  /** Memory in use for them, in bytes. */
  readonly bytes: number;

  /** `dna` must have passed `checkDna(…, 'reference')`. Adding a number twice is an error. */
  add(image: ImageNumber, dna: Uint8Array): void;
  /** Removing a number that is not held does nothing. */
  remove(image: ImageNumber): Steps<void>;

  /**
   * The shortlist: the `limit` pictures with most votes, and every further one that has as many as the last one. So a merge of parts can
   * be cut where the whole would be. Exact copies are listed besides, outside the limit, and their votes do not count.
   * @param limit  Infinity for every picture, those without votes included
   * @param only  the pictures to search, of which others may be missing here; null for all
   */
  candidates(query: Uint8Array, only: Selection | null, limit: number, options: QueryOptions): Steps<Candidates>;

  /**
   * How much each of these pictures shares with the query, a whole number, by a rule that is finer than the votes of candidates, and
   * dearer. Absent where there is none. 0 for a picture that is not held.
   */
  votes?(query: Uint8Array, images: readonly ImageNumber[]): Steps<Float64Array>;

  /**
   * Compares the query with each of these pictures. Pictures that do not match (score 1) are left out, and so are pictures
   * that were removed after they became candidates.
   */
  verify(query: Uint8Array, images: readonly ImageNumber[], options: VerifyOptions): Steps<Verified>;

  /** The best of all pictures (among `only`). For types that are `exhaustive`; `verify` gives their result_info. */
  rank?(query: Uint8Array, only: Selection | null, cut: Cut, options: QueryOptions): Steps<Ranking>;

  /** The share of each cell of colours in the pictures (among `only`) that contain all of `colors`, 0xrrggbb. */
  fill?(only: Selection | null, colors: readonly number[]): Steps<Fill>;
  /** How many of the same pictures hold a colour of each group. */
  holders?(only: Selection | null, colors: readonly number[], grouping: Grouping): Steps<Uint32Array>;
}

/** Queries that a partition keeps prepared: the number of searches that may be between their two phases. */
export const PREPARED_QUERIES = 2;

/** Why a picture matches or does not, for people. */
export interface Explanation {
  /** Empty for a match, or else why it is none. */
  readonly reason: string;
  /** Features of either picture that look alike, wherever they lie. */
  readonly alike: number;
  /** Inliers of the alignment, as fractions of width and height with 4 decimals. */
  readonly correspondences: readonly Correspondence[];
}

/** The explanation of one comparison. */
export interface Explained {
  readonly image: ImageNumber;
  readonly explanation: Explanation;
}

export interface Correspondence {
  readonly query: readonly [x: number, y: number];
  readonly reference: readonly [x: number, y: number];
  /** How much the features differ, in bits of 64. */
  readonly distance: number;
}

export interface QueryOptions {
  /** Weight of colour in [0, 1]; only image-similarity reads it. */
  readonly colorWeight?: number;
}

export interface VerifyOptions extends QueryOptions {
  /** Whether each comparison is explained. */
  readonly explain?: boolean;
}

/** The part of a ranking that is returned. */
export interface Cut {
  /** In (0, 1]: pictures of this score or a higher one do not count. */
  readonly below: number;
  /** So many pictures, and all that tie with the last. */
  readonly most: number;
}

export interface Ranking {
  /** How many pictures count, listed or not. */
  readonly found: number;
  /** Best first; ties in no order. */
  readonly images: Uint32Array;
  /** Beside them. */
  readonly scores: Float64Array;
}

/** Numbers beside one another, since thousands of objects are slow to make and to send. */
export interface Candidates {
  /** The DNA of the reference is the query's own: the same picture. */
  readonly copies: Uint32Array;
  /** The others, in no order. */
  readonly images: Uint32Array;
  /** Of each: the shortlist has the highest. */
  readonly votes: Uint32Array;
}

export interface Verified {
  readonly verdicts: readonly Verdict[];
  /** The work of the comparisons, see `Effort`; 0 for types whose comparisons all cost the same. */
  readonly effort: number;
  /** Of each picture held, matching or not, where `explain` is set; absent for types that have nothing to explain. */
  readonly explanations?: readonly Explained[];
}

export interface Verdict {
  readonly image: ImageNumber;
  /** In [0, 1); 0 is the same picture. */
  readonly score: number;
  /** How the picture matches; null for a type that has no structure for that. */
  readonly resultInfo: ResultInfo | null;
  /** Where references may compete: for each place of this one, x and y of the features that agree, in pixels of the query's frame. */
  readonly places?: readonly Float32Array[];
  /** Also for that: the share of the overlap that follows one tone, 0 to 1, on Media Matching. */
  readonly toned?: number;
}

/** A verdict on one picture that is known from the context. */
export type PairVerdict = Omit<Verdict, 'image'>;
