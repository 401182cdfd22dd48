import type { Candidate, ImageNumber } from '@sosia/engine';
import { shardOf, split } from './placement.ts';
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
  /** The `SHORTLIST` with most votes by the finer rule of the `CANDIDATES` others with most votes, best first; of all if they are no more. */
  readonly others: readonly Voted[];
}

/** Merges the candidates of all shards into one order before each cut, so that the number of shards does not matter. */
export async function shortlist(shards: ShardsFor<'candidates' | 'votes'>, search: Search): Promise<Shortlist> {
  const { application, query, only, pictures, options } = search;
  const limit = pictures <= CANDIDATES ? Infinity : CANDIDATES;
  const parts = split(only, shards.length);
  const lists = await Promise.all(
    shards.map((shard, i) => shard.candidates(application, query, parts[i]!, limit, options)),
  );
  const candidates = lists.flat();
  const inOrder = (a: Voted, b: Voted): number => b.votes - a.votes || search.compare(a.image, b.image);
  const best = candidates
    .filter(({ exact }) => !exact)
    .sort(inOrder)
    .slice(0, CANDIDATES);
  const finer = await Promise.all(shards.map((shard, i) => finerVotes(shard, search, partOf(best, i, shards.length))));
  return {
    copies: candidates.filter(({ exact }) => exact).map(({ image }) => image),
    others: finer
      .flat()
      .filter(({ votes }) => votes > 0)
      .sort(inOrder)
      .slice(0, SHORTLIST),
  };
}

function partOf(candidates: readonly Voted[], shard: number, count: number): readonly Voted[] {
  return candidates.filter(({ image }) => shardOf(image, count) === shard);
}

async function finerVotes(
  shard: ShardsFor<'votes'>[number],
  { application, query }: Search,
  candidates: readonly Voted[],
): Promise<readonly Voted[]> {
  if (candidates.length === 0) return [];
  const images = candidates.map(({ image }) => image);
  const votes = await shard.votes(application, query, images);
  return votes ? images.map((image, i) => ({ image, votes: votes[i]! })) : candidates;
}
