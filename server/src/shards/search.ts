import type { ImageNumber, QueryOptions, Selection } from '@sosia/engine';
import type { Window } from '../search/found.ts';
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
  /** Whether hits carry their explanations. */
  readonly explain?: boolean;
  readonly options: QueryOptions;
  /** Total order of pictures of equal score. */
  readonly compare: (a: ImageNumber, b: ImageNumber) => number;
  /** A selected picture that comes before all others, whatever its score. */
  readonly first?: ImageNumber | undefined;
  /** False for a picture that was deleted while the search ran. */
  readonly exists: (image: ImageNumber) => boolean;
}

/** The methods of each shard that a search uses, in the order of the shards. */
export type ShardsFor<M extends keyof Shard> = readonly Pick<Remote<Shard>, M>[];
