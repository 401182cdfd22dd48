import { compose, corners, project, scaling, type Homography } from '@sosia/testing/pictures/homography';
import type { Found, Hit, ResultInfo } from './searching.ts';

/** One attacked reference that was searched, judged against what is known about it. */
export interface Outcome {
  readonly shortlisted: boolean;
  /** The score of the first hit if it is the right picture, else null. */
  readonly score: number | null;
  readonly decision: ResultInfo['decision'];
  /** How far the corners of the reference's frame are off, as a share of the query's diagonal; null without a right hit. */
  readonly cornerError: number | null;
  /** A wrong picture stands first and claims to be the same. */
  readonly falseClaim: Hit | null;
}

/** The right answer to a query: the picture, where it lies in the query, and the query's size in pixels. */
export interface Answer {
  readonly image: number;
  readonly truth: Homography;
  readonly width: number;
  readonly height: number;
}

export function judge({ shortlist, hits }: Found, answer: Answer): Outcome {
  const first = hits[0];
  const right = first?.image === answer.image ? first : null;
  return {
    shortlisted: shortlist.includes(answer.image),
    score: right && right.score,
    decision: right ? right.info.decision : 'Different',
    cornerError: right && cornerError(right.info, answer),
    falseClaim: right ? null : claimOf(first),
  };
}

/** The hit, if it says Clone or Match. */
export function claimOf(hit: Hit | undefined): Hit | null {
  return hit && (hit.info.decision === 'Clone' || hit.info.decision === 'Match') ? hit : null;
}

/**
 * The score that at most this share of the negatives gets below: what a picture must do better than to count as
 * found. 1, which every hit is below, when fewer negatives had a hit at all.
 * @param best  of each negative the score of its first hit; 1 for none
 */
export function alarmScore(best: readonly number[], share: number): number {
  return [...best].sort((a, b) => a - b)[Math.floor(best.length * share)] ?? 1;
}

function cornerError({ query, reference, homography }: ResultInfo, { truth, width, height }: Answer): number {
  const [queryWidth, queryHeight] = query.resizedDimensions;
  const toFractions = scaling(1 / queryWidth, 1 / queryHeight);
  const claimed = compose(compose(toFractions, homography.coefficients), scaling(...reference.resizedDimensions));
  const off = corners(1, 1).map((corner) => {
    const [x, y] = project(claimed, corner);
    const [trueX, trueY] = project(truth, corner);
    return Math.hypot((x - trueX) * width, (y - trueY) * height);
  });
  return Math.max(...off) / Math.hypot(width, height);
}
