import type { Candidate, ImageNumber } from '@sosia/engine';
import { shardOf, split } from './placement.ts';
import type { Search, ShardsFor } from './search.ts';

/** Pictures whose votes are compared, and pictures of a shortlist at most; exact copies not counted. */
export const CANDIDATES = 2000;
export const SHORTLIST = 1000;
/**
 * Of the candidates so many, and further ones with so many votes: pictures by chance have 4,000 there among 65,000, and an edited copy of
 * the whole has 16,800 at least. See docs/experiments/2026-11-22-finer-terms.md.
 */
export const FEW = 500;
export const MANY_VOTES = 16_384;

/** A picture with its votes, see `Candidate`. */
export type Voted = Pick<Candidate, 'image' | 'votes'>;

/** The pictures that the second phase of a search compares with the query. */
export interface Shortlist {
  /** Pictures whose DNA is the query's own. */
  readonly copies: readonly ImageNumber[];
  /** The `SHORTLIST` with most votes by the finer rule, best first: of the `CANDIDATES` others with most votes, or of all if these are no more. */
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
  const others = candidates.filter(({ exact }) => !exact).sort(inOrder);
  const best =
    limit === Infinity ? others : others.slice(0, CANDIDATES).filter(({ votes }, i) => i < FEW || votes >= MANY_VOTES);
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

/**
 * Those of a part of the pictures that may be compared, so that a thread need not send the others.
 * @param candidates  as the partition lists them: exact copies, then by votes
 */
export function comparable(candidates: readonly Candidate[]): readonly Candidate[] {
  const others = candidates.filter(({ exact }) => !exact);
  const least = Math.min(MANY_VOTES, others[FEW - 1]?.votes ?? 0);
  return candidates.filter(({ votes, exact }) => exact || votes >= least);
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
