import { rejectWeaker } from '@sosia/engine';
import { checkScore, type Found, type Hit, type Search, type ShardsFor } from './search.ts';
import type { Shortlist } from './shortlist.ts';
import { verify } from './verify.ts';

/** Pictures verified at once. */
export const BATCH = 50;

/**
 * Votes of a crowd: pages of text reach a million in a query that shows text. Pictures by chance have 100,000 at the end of
 * the first batch. See docs/experiments/2026-11-22-crowds.md.
 */
const CROWD = 400_000;
/** By how much the votes of a crowd fall from the first: a copy that is ahead of the crowd has more. */
const FALL = 8;
/** Pictures of a crowd that are verified at most. */
export const MOST_OF_CROWD = 300;

/**
 * Work that the verifications of one search may take, see `Effort` in the engine. Searches of the benchmarks need a
 * thirtieth of it at most, a search that finds 1,000 near-duplicates two thirds. After the batch that exceeds it no
 * further one is compared.
 */
export const MOST_WORK = 300_000_000;

/**
 * The matches of a shortlist, best first. The others are verified from the top, `BATCH` at a time, as long as at least
 * half of a batch matches: a query with few near-duplicates stops early, one with hundreds finds them. Nor does it stop
 * inside a crowd of pictures with many votes that hardly fall, since a copy may be behind them.
 */
export async function rerank(
  shards: ShardsFor<'verify'>,
  search: Search,
  { copies, others }: Shortlist,
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
    let work = 0;
    for (let start = 0; start < others.length; start += BATCH) {
      if (work > MOST_WORK) return [matches, true];
      const batch = others.slice(start, start + BATCH).map(({ image }) => image);
      const { verdicts, effort } = await verify(shards, search, batch);
      matches.push(...verdicts);
      work += effort;
      if (2 * verdicts.length < batch.length && !crowdGoesOn(others, start + BATCH)) break;
    }
    return [matches, false];
  }
}

/** Whether the picture at a place of the shortlist has the votes of a crowd. */
function crowdGoesOn(others: Shortlist['others'], at: number): boolean {
  const next = others[at];
  return next !== undefined && at < MOST_OF_CROWD && next.votes >= CROWD && FALL * next.votes >= others[0]!.votes;
}

/** Best score first; equal ones by the total order of the search. */
function inOrder(hits: Hit[], { compare }: Search): Hit[] {
  for (const { image, score } of hits) checkScore(image, score);
  return hits.sort((a, b) => a.score - b.score || compare(a.image, b.image));
}
