import type { Color } from '../features/palette.ts';
import type { Fill, Grouping } from '../features/prevalent.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Steps } from '../steps.ts';
import type { ResultInfo } from './result-info.ts';
import type { ApplicationType } from './traits.ts';

/** A picture is described as something to be found (`reference`) or as a question (`query`); the question may be richer. */
export type Side = 'reference' | 'query';

/** How one application type describes, indexes and verifies. One file a type; the table is `recipes`. */
export interface Recipe {
  readonly type: ApplicationType;

  /** Largest long side in pixels that `describe` makes use of; a decoder may reduce to this, never below it. */
  readonly workingSize: number;

  /** Whether every picture is compared in full: its partitions bring `rank`, which takes the place of the two phases. */
  readonly exhaustive?: boolean;

  /** Where the type has colours: how to read them from a DNA and how to ask for them. Its partitions bring `fill` and `holders`. */
  readonly colors?: ColorCode;

  /**
   * Pixels to DNA. The same pixels give the same bytes on every machine.
   * @throws PlainPictureError when the picture holds too little to be described (flat, tiny)
   */
  describe(picture: Picture, side: Side, options?: DescribeOptions): Uint8Array;

  /**
   * Checks bytes that come from outside. A reference DNA is accepted as a query where the type is symmetric.
   * @throws DnaError when the bytes are not a canonical DNA of this type, version and side
   */
  checkDna(dna: Uint8Array, side: Side): void;

  /** How well a reference can be matched; left out by recipes that cannot tell. */
  grade?(dna: Uint8Array): Grade;

  createPartition(): Partition;
}

/** What an application may want of all its pictures. */
export interface DescribeOptions {
  /** Colours are those of what stands before a plain background; only the types with colours read it. */
  readonly ignoreBackground?: boolean;
}

/** How the colours of a picture stand in its DNA. */
export interface ColorCode {
  /** The dominant colours, the largest share first. */
  of(dna: Uint8Array): Color[];
  /** A query DNA that asks for these colours, in these shares of the picture. */
  asQuery(colors: readonly Color[]): Uint8Array;
}

/** How well a picture can be matched: 0 hardly, 4 well; and what takes points off. */
export interface Grade {
  readonly grade: number;
  readonly reasons: readonly string[];
}

/** Reference pictures are known to a partition by a number, given once and never used again. */
export type ImageNumber = number;

/**
 * The reference pictures of one application, or a share of them. What it answers about a picture never depends on
 * what else it holds, so that shares can be merged: candidates by (exact first, votes descending, image_id by bytes),
 * matches by (score, image_id by bytes).
 *
 * What may take long is done in steps of about a millisecond at most. One call is carried out to its end before the next
 * one begins.
 */
export interface Partition {
  /** Number of pictures held. */
  readonly count: number;
  /** Memory in use for them, in bytes. */
  readonly bytes: number;

  /** `dna` must have passed `checkDna(…, 'reference')`. Adding a number twice is an error. */
  add(image: ImageNumber, dna: Uint8Array): void;
  /** Removing a number that is not held does nothing. */
  remove(image: ImageNumber): Steps<void>;

  /**
   * The `limit` pictures that promise most, and every further one whose votes equal the last one's, so that a merge
   * can cut the same way whatever the partition. Exact copies are listed besides, outside the limit.
   * @param only  the pictures to look among, ascending; null for all
   */
  candidates(query: Uint8Array, only: Uint32Array | null, limit: number, options: QueryOptions): Steps<Candidate[]>;

  /**
   * Compares the query with each of these pictures. Those that do not match at all (score 1) are left out, and so are
   * those not held: they may have been removed since they became candidates.
   */
  verify(query: Uint8Array, images: readonly ImageNumber[], options: QueryOptions): Steps<Verified>;

  /** The best of all pictures (among `only`). For recipes that are `exhaustive`; `verify` tells more of those looked at. */
  rank?(query: Uint8Array, only: Uint32Array | null, cut: Cut, options: QueryOptions): Steps<Ranking>;

  /** What the pictures (among `only`) that contain all of `colors`, 0xrrggbb, hold of each cell of colours. */
  fill?(only: Uint32Array | null, colors: readonly number[]): Steps<Fill>;
  /** How many of the same pictures hold a colour of each group. */
  holders?(only: Uint32Array | null, colors: readonly number[], grouping: Grouping): Steps<Uint32Array>;

  /**
   * Why a picture matches or does not, for people; undefined for one that is not held. Left out by recipes that have
   * nothing to show.
   */
  explain?(query: Uint8Array, image: ImageNumber): Steps<Explanation | undefined>;
}

/** Questions that a partition keeps prepared: so many searches may be between their two phases. */
export const QUESTIONS = 2;

/** What stands behind a verdict. */
export interface Explanation {
  /** Empty for a match, or else why it is none. */
  readonly reason: string;
  /** Features of either picture that look alike, wherever they lie. */
  readonly alike: number;
  /** Those that agree on where the reference lies, as fractions of width and height with 4 decimals. */
  readonly correspondences: readonly Correspondence[];
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

/** What of a ranking is wanted. */
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

export interface Candidate {
  readonly image: ImageNumber;
  /** An integer; more is more promising. */
  readonly votes: number;
  /** The DNA of the reference is the query's own: the same picture. */
  readonly exact: boolean;
}

export interface Verified {
  readonly verdicts: readonly Verdict[];
  /** What the comparison took, see `Effort`; the sum over the pictures. 0 where every picture takes the same. */
  readonly effort: number;
}

export interface Verdict {
  readonly image: ImageNumber;
  /** In [0, 1); 0 is the same picture. */
  readonly score: number;
  /** How the picture matches; null for a type that has no structure for that. */
  readonly resultInfo: ResultInfo | null;
}

/** Thrown by `describe`: the picture holds too little to be recognised by. The message says why. */
export class PlainPictureError extends Error {}

/** Thrown for bytes that are not a DNA this version can read. The message says what was found. */
export class DnaError extends Error {}
