import type { SynchronousPartition, BoxMatch, ImageNumber, QuadMatch, Selection } from '@sosia/engine';
import { BATCH_PICTURES } from '@sosia/server/search/budget';
import type { Voted } from '@sosia/server/search/candidate-source';
import { shortlist } from '@sosia/server/search/shortlist';
import { twoPhaseSearch } from '@sosia/server/search/two-phase';
import type { ShardsFor } from '@sosia/server/shards/search';
import { ShardSource } from '@sosia/server/shards/shard-source';

/** What the search for one query gave, and how long it took. */
export interface Found {
  /** The pictures of the first rerank. */
  readonly shortlist: readonly ImageNumber[];
  /** Best first; equal scores in the order of the numbers. */
  readonly hits: readonly Hit[];
  readonly candidatesMs: number;
  readonly verifyMs: number;
}

export interface Hit {
  readonly image: ImageNumber;
  readonly score: number;
  readonly info: BoxMatch | QuadMatch;
}

/** The search of the service, over one partition in this thread. @param only  the pictures that are searched; all unless given */
export async function search(
  partition: Pick<SynchronousPartition, 'candidates' | 'votes' | 'verify' | 'count'>,
  query: Uint8Array,
  only: Selection | null = null,
): Promise<Found> {
  let [candidatesMs, verifyMs] = [0, 0];
  const shard: ShardsFor<'candidates' | 'votes' | 'verify'>[number] = {
    async candidates(_, query, only, limit, options) {
      const start = performance.now();
      const candidates = partition.candidates(query, only, limit, options);
      candidatesMs += performance.now() - start;
      return candidates;
    },
    async votes(_, ...question) {
      const start = performance.now();
      const votes = partition.votes(...question);
      candidatesMs += performance.now() - start;
      return votes;
    },
    async verify(_, ...question) {
      const start = performance.now();
      const verified = partition.verify(...question);
      verifyMs += performance.now() - start;
      return verified;
    },
  };

  const window = { below: 1, start: 0, count: Infinity };
  const search = {
    application: 0,
    query,
    only,
    pictures: partition.count,
    compare,
    exists: () => true,
    window,
    options: {},
  };
  const source = new VotesOnce([shard], search);
  const { copies, others } = await shortlist(source);
  const found = await twoPhaseSearch(source, { window });
  const hits = found.hits.map(({ image, score, resultInfo }) => ({ image, score, info: resultInfo as Hit['info'] }));
  return {
    shortlist: [...copies.toSorted(compare), ...others.map(({ image }) => image)].slice(0, BATCH_PICTURES),
    hits,
    candidatesMs,
    verifyMs,
  };
}

/** Counts the votes once for the shortlist and for the search. */
class VotesOnce extends ShardSource {
  #votes: Promise<readonly Voted[]> | undefined;

  override votes(candidates: readonly Voted[]): Promise<readonly Voted[]> {
    return (this.#votes ??= super.votes(candidates));
  }
}

/** The hit is a Clone or a Match. */
export function isMatch(hit: Hit | undefined): hit is Hit {
  return hit !== undefined && /^(?:Clone|Match)$/.test(hit.info.decision);
}

/**
 * The score that at most this share of the negatives gets below: a query counts as found with a better score only.
 * 1, which every hit is below, when fewer negatives had a hit at all.
 * @param best  of each negative the score of its first hit; 1 for none
 */
export function alarmScore(best: readonly number[], share: number): number {
  return best.toSorted((a, b) => a - b)[Math.floor(best.length * share)] ?? 1;
}

function compare(a: ImageNumber, b: ImageNumber): number {
  return a - b;
}
