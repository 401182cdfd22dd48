import { type ImageNumber, rejectWeaker } from '@sosia/engine';
import { checkScore, type Found, type Hit, type Search, type ShardsFor } from './search.ts';
import { crowdOf, isCrowd, MOST_OF_CROWD } from './crowd.ts';
import { SHORTLIST, type Shortlist } from './shortlist.ts';
import { verify } from './verify.ts';

/** Pictures verified at once. */
export const BATCH = 50;

/**
 * Work that the verifications of one search may take, see `Effort` in the engine. Searches of the benchmarks need a
 * thirtieth of it at most, a search that finds 1,000 near-duplicates two thirds. After the batch that exceeds it no
 * further one is compared.
 */
export const MOST_WORK = 300_000_000;

/**
 * The matches of a shortlist, best first. The others are verified from the top, `BATCH` at a time, as long as at least
 * half of a batch matches: a query with few near-duplicates stops early, one with hundreds finds them. A copy may be hidden by a
 * crowd of pictures with as many votes, so these are verified too.
 */
export async function rerank(
  shards: ShardsFor<'verify'>,
  search: Search,
  { copies, others, further }: Shortlist,
): Promise<Found> {
  const [exact, [similar, truncated]] = await Promise.all([verifyCopies(), verifyOthers()]);
  const { below, start, count } = search.window;
  const matches = [...exact, ...similar].filter(({ image }) => search.exists(image));
  const ordered = inOrder(rejectWeaker(matches), search).filter(({ score }) => score < below);
  const page = { found: ordered.length, hits: ordered.slice(start, start + count) };
  return truncated ? { ...page, truncated } : page;

  /** Copies hold the same DNA, and a verdict depends on nothing else: the verdict on one holds for all. */
  async function verifyCopies(): Promise<Hit[]> {
    for (const copy of copies) {
      const [verdict] = (await verify(shards, search, [copy])).verdicts;
      if (verdict) return copies.map((image) => ({ ...verdict, image }));
      // removed a moment ago
    }
    return [];
  }

  async function verifyOthers(): Promise<[Hit[], truncated: boolean]> {
    const matches: Hit[] = [];
    let queue: readonly ImageNumber[] = others.slice(0, SHORTLIST).map(({ image }) => image);
    let inCrowd = false;
    let work = 0;
    for (let start = 0; start < queue.length; start += BATCH) {
      if (work > MOST_WORK) return [matches, true];
      const batch = queue.slice(start, start + BATCH);
      const { verdicts, effort } = await verify(shards, search, batch);
      matches.push(...verdicts);
      work += effort;
      if (inCrowd || 2 * verdicts.length >= batch.length) continue;
      const compared = start + BATCH;
      inCrowd = isCrowd(others, compared);
      if (!inCrowd) break;
      const crowd = crowdOf(others, compared).map(({ image }) => image);
      queue = [...queue.slice(0, compared), ...crowd, ...(await further())].slice(0, MOST_OF_CROWD);
    }
    return [matches, false];
  }
}

/** Best score first; equal ones by the total order of the search. */
function inOrder(hits: Hit[], { compare }: Search): Hit[] {
  for (const { image, score } of hits) checkScore(image, score);
  return hits.sort((a, b) => a.score - b.score || compare(a.image, b.image));
}
