import type { ImageNumber, QueryOptions, ResultInfo, Selection } from '@sosia/engine';
import type { Remote } from '../workers/thread.ts';
import type { Shard } from './shard.ts';

/** A search among the pictures of one application. */
export interface Search {
  readonly application: number;
  readonly query: Uint8Array;
  /** The pictures to search among; null for all. */
  readonly only: Selection | null;
  /** How many they are. */
  readonly pictures: number;
  readonly window: Window;
  readonly options: QueryOptions;
  /** Total order of pictures of equal score. */
  readonly compare: (a: ImageNumber, b: ImageNumber) => number;
  /** False for a picture that was deleted while the search ran. */
  readonly exists: (image: ImageNumber) => boolean;
}

/** The part of the ordered list of all matches that is wanted. */
export interface Window {
  /** In (0, 1]: matches of this score or a higher one are no part of the list. */
  readonly below: number;
  readonly start: number;
  readonly count: number;
}

/** A reference picture that matched, before it gets its id and keywords back. */
export interface Hit {
  readonly image: ImageNumber;
  readonly score: number;
  readonly resultInfo: ResultInfo | null;
  /** As in the verdict. */
  readonly places?: readonly Float32Array[];
}

/** The wanted part of the ordered list of all matches. */
export interface Found {
  /** The length of the whole list. */
  readonly found: number;
  /** Best score first, ties by the order of the search. */
  readonly hits: readonly Hit[];
  /** Whether the search ended before the whole shortlist was compared, because it had taken too much work. */
  readonly truncated?: boolean;
}

/** The methods of each shard that a search uses, in the order of the shards. */
export type ShardsFor<M extends keyof Shard> = readonly Pick<Remote<Shard>, M>[];

/** @throws for a score that would not sort */
export function checkScore(image: ImageNumber, score: number): void {
  if (!(score >= 0 && score < 1)) throw new Error(`picture ${image}: expected a score in [0, 1), got ${score}`);
}
