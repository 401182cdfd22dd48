import type { Voted } from './shortlist.ts';

/**
 * Votes of a crowd: pages of text reach a million in a query that shows text. Pictures by chance have 100,000 at the end of
 * the first batch. See docs/experiments/2026-11-22-crowds.md.
 */
const CROWD = 400_000;
/** By how much the votes of a crowd fall from the first: a copy that is ahead of the crowd has more. */
const FALL = 8;
/** Pictures of a crowd that are verified at most. */
export const MOST_OF_CROWD = 1000;

/** Whether a shortlist goes on from a place with pictures of as many votes as the first ones. */
export function isCrowd(others: readonly Voted[], at: number): boolean {
  const next = others[at];
  return next !== undefined && next.votes >= CROWD && FALL * next.votes >= others[0]!.votes;
}

/** The pictures of a crowd from a place on. */
export function crowdOf(others: readonly Voted[], at: number): Voted[] {
  return others.slice(at).filter(({ votes }) => FALL * votes >= others[0]!.votes);
}
