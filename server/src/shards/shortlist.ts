import type { Candidate, ImageNumber } from '@sosia/engine';
import { split } from './placement.ts';
import type { Search, ShardsFor } from './search.ts';

/** Pictures whose votes are compared, and pictures of a shortlist at most; exact copies not counted. */
export const CANDIDATES = 2000;
export const SHORTLIST = 1000;

/** A picture with its votes, see `Candidate`. */
export type Voted = Pick<Candidate, 'image' | 'votes'>;

/** The pictures that the second phase of a search compares with the query. */
export interface Shortlist {
  /** Pictures whose DNA is the query's own. */
  readonly copies: readonly ImageNumber[];
  /** The `SHORTLIST` with most votes of the `CANDIDATES` others with the highest scores, best first; of all if they are no more. */
  readonly others: readonly Voted[];
}

/** Merges the candidates of all shards into one order before the cut, so that the number of shards does not matter. */
export async function shortlist(shards: ShardsFor<'candidates'>, search: Search): Promise<Shortlist> {
  const { application, query, only, pictures, options } = search;
  const limit = pictures <= CANDIDATES ? Infinity : CANDIDATES;
  const parts = split(only, shards.length);
  const lists = await Promise.all(
    shards.map((shard, i) => shard.candidates(application, query, parts[i]!, limit, options)),
  );
  const candidates = lists.flat();
  const scoreOf = ({ votes, score = votes }: Candidate): number => score;
  const inOrder = (a: Candidate, b: Candidate): number => scoreOf(b) - scoreOf(a) || search.compare(a.image, b.image);
  const byVotes = (a: Candidate, b: Candidate): number => b.votes - a.votes || search.compare(a.image, b.image);
  const best = candidates
    .filter(({ exact }) => !exact)
    .sort(inOrder)
    .slice(0, CANDIDATES);
  return {
    copies: candidates.filter(({ exact }) => exact).map(({ image }) => image),
    others: best
      .filter(({ votes }) => votes > 0)
      .sort(byVotes)
      .slice(0, SHORTLIST),
  };
}
