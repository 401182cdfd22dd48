import { cornersOf, type Size } from '../../geometry/frame.ts';
import { project, type Homography } from '../../geometry/homography.ts';
import type { Overlap } from '../overlap/overlap.ts';

/** How sure a match is: Clone (the same image), Match, Similar (no match but similar), Different. */
export type Decision = 'Clone' | 'Match' | 'Similar' | 'Different';

/** Evidence from which on two pictures are a Match: see docs/experiments/2026-11-21-evidence.md for the error rates behind it. */
export const MATCH = 3;
/** Evidence from which on they are Similar. */
export const SIMILAR = 2;
/** Evidence a Clone needs besides lying exactly on its original. */
export const CLONE = 8;
/** How far the corners of a Clone may lie from the corners of its original, as a share of the diagonal. */
const ASIDE = 0.03;

/** Least share of the overlap of a Clone that agrees, and most of it that may differ in one place. */
const [WHOLE, PLACE] = [0.95, 0.03];
/** Pictures whose inner part agrees less than the one share, while one place differs that is at least the other, have no more than a frame in common. */
const [FRAMED, CONTENT] = [0.38, 0.2];
/** … unless features of so many inner places are clearly the same: then a part of the picture is hidden. */
const HIDDEN = 4;

/**
 * In (0, 1]: 1 for no evidence, 1/2 where Match begins, towards 0 as the evidence grows. Six decimals.
 * @param match  evidence from which on two pictures are a Match
 */
export function scoreOf(evidence: number, match = MATCH): number {
  return Math.round(1e6 / (1 + evidence / match)) / 1e6;
}

/**
 * @param overlap  what shows of either picture in the other one, where that is known
 * @param inner    see `innerPlaces`
 */
export function decide(
  evidence: number,
  map: Homography,
  reference: Size,
  query: Size,
  overlap?: Overlap,
  inner = 0,
): Decision {
  if (evidence < SIMILAR) return 'Different';
  const framed = overlap && overlap.inside < FRAMED && overlap.apart >= CONTENT && inner < HIDDEN;
  if (evidence < MATCH || framed) return 'Similar';
  const whole = !overlap || (overlap.agreeing >= WHOLE && overlap.apart <= PLACE);
  return evidence >= CLONE && whole && liesOn(map, reference, query) ? 'Clone' : 'Match';
}

/** Whether the reference's corners are mapped onto the query's. */
export function liesOn(map: Homography, reference: Size, query: Size): boolean {
  const diagonal = Math.sqrt(query.width * query.width + query.height * query.height);
  const targets = cornersOf(query);
  return cornersOf(reference).every(([x, y], i) => {
    const [px, py] = project(map, x, y);
    const [dx, dy] = [px - targets[i][0], py - targets[i][1]];
    return Math.sqrt(dx * dx + dy * dy) <= ASIDE * diagonal;
  });
}
