import type { ImageNumber, Verified, VerifyOptions } from '@sosia/engine';

/** A reference picture with what it shares with the query: its score by terms, or its votes, which are finer. A whole number. */
export interface Voted {
  readonly image: ImageNumber;
  readonly votes: number;
}

export interface Candidates {
  /** Pictures whose DNA is the query's own, in no order. */
  readonly copies: readonly ImageNumber[];
  /** Other pictures with their scores by terms, in no order. */
  readonly others: readonly Voted[];
  /** Whether these are all pictures, also those that share no term with the query. */
  readonly complete: boolean;
}

/** How many candidates of a source take part in each phase. */
export interface ShortlistDepth {
  /** Candidates that are listed at first. */
  readonly listed: number;
  /** Of these the first so many have their votes counted. */
  readonly counted: number;
  /** Further listed candidates with this score by terms have their votes counted, too. */
  readonly manyTerms: number;
  /** Candidates whose votes are counted where nothing matches among the first; at most `counted` for no second look. */
  readonly countedAfterNothing: number;
}

/** Pictures that can be compared with the query of one search. Their numbers hold during this search. */
export interface Comparable {
  /** Compares the query with pictures. Those that do not match have no verdict, and those that were removed meanwhile have neither verdict nor explanation. */
  verify(images: readonly ImageNumber[], options: VerifyOptions): Promise<Verified>;
  /** Total order of pictures of equal score. */
  compare(a: ImageNumber, b: ImageNumber): number;
  /** False for a picture that was deleted while the search ran. */
  exists(image: ImageNumber): boolean;
}

/** Where a two-phase search finds its pictures: the partitions of this process, or a cluster. */
export interface CandidateSource extends Comparable {
  readonly depth: ShortlistDepth;
  /** The `count` pictures with the highest scores by terms; all pictures where they are no more than `count`. */
  candidates(count: number): Promise<Candidates>;
  /** The `count` pictures with the highest scores by terms, best first; exact copies are left out. */
  byTerms(count: number): Promise<readonly ImageNumber[]>;
  /** The votes of pictures that `candidates` gave. */
  votes(candidates: readonly Voted[]): Promise<readonly Voted[]>;
}

/** Most votes first; equal ones in the total order of the pictures. */
export function inOrderOfVotes(voted: readonly Voted[], order: Pick<Comparable, 'compare'>): Voted[] {
  return [...voted].sort((a, b) => b.votes - a.votes || order.compare(a.image, b.image));
}

/** The first so many, in no order. Only ties at the cut are sorted. */
export function mostVoted(voted: readonly Voted[], count: number, order: Pick<Comparable, 'compare'>): Voted[] {
  if (voted.length <= count) return [...voted];
  const last = Uint32Array.from(voted, ({ votes }) => votes).sort()[voted.length - count]!;
  const above = voted.filter(({ votes }) => votes > last);
  const tied = voted.filter(({ votes }) => votes === last).sort((a, b) => order.compare(a.image, b.image));
  return [...above, ...tied.slice(0, count - above.length)];
}
