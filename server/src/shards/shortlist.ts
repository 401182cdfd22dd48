import type { Candidates, ImageNumber } from '@sosia/engine';
import { MOST_OF_CROWD } from './crowd.ts';
import { shardOf } from './placement.ts';
import type { Search, ShardsFor } from './search.ts';

/** Pictures whose votes are compared, and pictures that are verified at most; exact copies not counted. */
export const CANDIDATES = 2000;
export const SHORTLIST = 1000;
/**
 * Of the candidates so many, and further ones with so many votes: pictures by chance have 4,000 there among 65,000, and an edited copy of
 * the whole has 16,800 at least. See docs/experiments/2026-11-22-finer-terms.md.
 */
export const FEW = 500;
export const MANY_VOTES = 16_384;

/** A picture with its votes. */
export interface Voted {
  readonly image: ImageNumber;
  readonly votes: number;
}

/** The pictures that the second phase of a search compares with the query. */
export interface Shortlist {
  /** Pictures whose DNA is the query's own. */
  readonly copies: readonly ImageNumber[];
  /** Of the `CANDIDATES` others with most votes, or of all if these are no more, those that share anything by the finer rule: best first. */
  readonly others: readonly Voted[];
  /** Behind these the first `MOST_OF_CROWD` candidates in their order, whose votes by the finer rule are not counted. */
  readonly further: () => readonly ImageNumber[] | Promise<readonly ImageNumber[]>;
}

/** Merges the candidates of all shards into one order before each cut, so that the number of shards does not matter. */
export async function shortlist(shards: ShardsFor<'candidates' | 'votes'>, search: Search): Promise<Shortlist> {
  const { application, query, only, pictures, options } = search;
  const limit = pictures <= CANDIDATES ? Infinity : CANDIDATES;
  const lists = await Promise.all(shards.map((shard) => shard.candidates(application, query, only, limit, options)));
  const candidates = lists.flatMap(voted);
  const best = limit === Infinity ? candidates : firstOf(candidates, comparedOf(candidates), search.compare);
  const inOrder = (a: Voted, b: Voted): number => b.votes - a.votes || search.compare(a.image, b.image);
  const finer = await Promise.all(shards.map((shard, i) => finerVotes(shard, search, partOf(best, i, shards.length))));
  return {
    copies: lists.flatMap(({ copies }) => [...copies]),
    others: finer
      .flat()
      .filter(({ votes }) => votes > 0)
      .sort(inOrder),
    further: () => {
      const known = new Set(best.map(({ image }) => image));
      const most = firstOf(candidates, MOST_OF_CROWD, search.compare).filter(({ image }) => !known.has(image));
      return most.sort(inOrder).map(({ image }) => image);
    },
  };
}

function voted({ images, votes }: Candidates): Voted[] {
  return Array.from(images, (image, i) => ({ image, votes: votes[i]! }));
}

/** How many are compared by the finer rule: `FEW`, and of the first `CANDIDATES` those with many votes. */
function comparedOf(candidates: readonly Voted[]): number {
  const many = candidates.filter(({ votes }) => votes >= MANY_VOTES).length;
  return Math.max(FEW, Math.min(CANDIDATES, many));
}

/** The first so many, in no order. Only ties at the cut are sorted by their ids. */
function firstOf(candidates: readonly Voted[], most: number, compare: Search['compare']): Voted[] {
  if (candidates.length <= most) return [...candidates];
  const last = Uint32Array.from(candidates, ({ votes }) => votes).sort()[candidates.length - most]!;
  const above = candidates.filter(({ votes }) => votes > last);
  const tied = candidates.filter(({ votes }) => votes === last).sort((a, b) => compare(a.image, b.image));
  return [...above, ...tied.slice(0, most - above.length)];
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
