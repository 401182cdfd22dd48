import { cornersOf, type Size } from '../../geometry/frame.ts';
import { project, type Homography } from '../../geometry/homography.ts';
import type { Overlap } from '../overlap/overlap.ts';

/** How sure a match is: Clone (the same image), Match, Similar (no match but similar), Different. */
export type Decision = 'Clone' | 'Match' | 'Similar' | 'Different';

/** Evidence from which on two pictures are a Match where nothing else is known: 0.5 % of 1,651 negatives reach it, most with the same person in the same pose. */
export const MIN_MATCH_EVIDENCE = 3;
/** Evidence from which on they are Similar. */
export const MIN_SIMILAR_EVIDENCE = 2;
/** Evidence a Clone needs besides lying exactly on its original. */
export const MIN_CLONE_EVIDENCE = 8;
/** How far the corners of a Clone may lie from the corners of its original, as a share of the diagonal. */
const MAX_CORNER_OFFSET_SHARE = 0.03;

/** Least share of the overlap of a Clone that agrees, and most of it that may differ in one place. */
const CLONE_OVERLAP = { minAgreeing: 0.95, maxApart: 0.03 };
/** Least share of what agrees that is nearly equal: a second photograph of one thing has less. */
const MIN_EQUAL_SHARE = 0.75;

/**
 * In (0, 1]: 1 for no evidence, 1/2 where Match begins, towards 0 as the evidence grows. Six decimals.
 * @param match  evidence from which on two pictures are a Match
 */
export function scoreOf(evidence: number, match = MIN_MATCH_EVIDENCE): number {
  return Math.round(1e6 / (1 + evidence / match)) / 1e6;
}

/**
 * @param overlap  what shows of either picture in the other one, where that is known
 * @param copy     whether that is more than a frame, a design or a pose (see `isCopy`)
 */
export function decide(
  evidence: number,
  map: Homography,
  reference: Size,
  query: Size,
  overlap?: Pick<Overlap, 'agreeing' | 'apart' | 'equal'>,
  copy = evidence >= MIN_MATCH_EVIDENCE,
): Decision {
  if (evidence < MIN_SIMILAR_EVIDENCE) return 'Different';
  if (!copy) return 'Similar';
  const whole = !overlap || isWhole(overlap);
  return evidence >= MIN_CLONE_EVIDENCE && whole && liesOn(map, reference, query) ? 'Clone' : 'Match';
}

/** Whether the overlap is that of a picture with a copy of its whole. */
export function isWhole({ agreeing, apart, equal = 1 }: Pick<Overlap, 'agreeing' | 'apart' | 'equal'>): boolean {
  return agreeing >= CLONE_OVERLAP.minAgreeing && apart <= CLONE_OVERLAP.maxApart && equal >= MIN_EQUAL_SHARE;
}

/** Whether the reference's corners are mapped onto the query's. */
export function liesOn(map: Homography, reference: Size, query: Size): boolean {
  const diagonal = Math.sqrt(query.width * query.width + query.height * query.height);
  const targets = cornersOf(query);
  return cornersOf(reference).every(([x, y], i) => {
    const [px, py] = project(map, x, y);
    const [dx, dy] = [px - targets[i][0], py - targets[i][1]];
    return Math.sqrt(dx * dx + dy * dy) <= MAX_CORNER_OFFSET_SHARE * diagonal;
  });
}
