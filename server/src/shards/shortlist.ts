import type { Candidate, ImageNumber } from '@sosia/engine';
import { split } from './placement.ts';
import type { Search, ShardsFor } from './search.ts';

/** Pictures of a shortlist at most, exact copies not counted. */
export const SHORTLIST = 1000;

/** A picture with its votes, see `Candidate`. */
export type Voted = Pick<Candidate, 'image' | 'votes'>;

/** The pictures that the second phase of a search compares with the query. */
export interface Shortlist {
  /** Pictures whose DNA is the query's own. */
  readonly copies: readonly ImageNumber[];
  /** The `SHORTLIST` others with most votes, best first. */
  readonly others: readonly Voted[];
}

/** Merges the candidates of all shards into one order before the cut, so that the number of shards does not matter. */
export async function shortlist(shards: ShardsFor<'candidates'>, search: Search): Promise<Shortlist> {
  const { application, query, only, options } = search;
  const parts = split(only, shards.length);
  const lists = await Promise.all(
    shards.map((shard, i) => shard.candidates(application, query, parts[i]!, SHORTLIST, options)),
  );
  const candidates = lists.flat();
  const byVotes = (a: Candidate, b: Candidate): number => b.votes - a.votes || search.compare(a.image, b.image);
  const others = candidates.filter(({ exact }) => !exact).sort(byVotes);
  return {
    copies: candidates.filter(({ exact }) => exact).map(({ image }) => image),
    others: others.slice(0, SHORTLIST),
  };
}
