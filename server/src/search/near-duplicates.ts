import type { Voted } from './candidate-source.ts';

/**
 * Votes from which pictures are alike without a match: pages of text reach a million in a query that shows text. Pictures by chance
 * have 100,000 at the end of the first batch. See docs/experiments/2026-11-22-near-duplicates.md.
 */
const MIN_VOTES = 400_000;
/** By how much their votes fall from the first at most: a copy that is ahead of them has more. */
const MAX_FALL = 8;

/** Whether a shortlist goes on from an index with pictures of about as many votes as the first one. A copy may be hidden behind them. */
export function continues(others: readonly Voted[], index: number): boolean {
  const next = others[index];
  return next !== undefined && next.votes >= MIN_VOTES && MAX_FALL * next.votes >= others[0]!.votes;
}

/** These pictures, from an index on. */
export function continuation(others: readonly Voted[], index: number): Voted[] {
  return others.slice(index).filter(({ votes }) => MAX_FALL * votes >= others[0]!.votes);
}
