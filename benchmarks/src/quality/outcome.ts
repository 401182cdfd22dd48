import { cornersOf } from '@sosia/engine/geometry/frame';
import { compose, type Homography } from '@sosia/engine/geometry/homography';
import { projected, scaling } from '@sosia/testing/pictures/homography';
import { isMatch, type Found, type Hit } from '@sosia/testing/searching/search';

/** How one query was answered. */
export interface Outcome {
  readonly shortlisted: boolean;
  /** The score of the first hit if it is the right picture, else null. */
  readonly score: number | null;
  readonly decision: Hit['info']['decision'] | 'none';
  /** How far the corners of the reference's frame are off, as a share of the query's diagonal; null without a right hit. */
  readonly cornerError: number | null;
  /** A wrong picture is first, as Match or Clone. */
  readonly falseMatch: Hit | null;
}

/** The right answer to a query: the picture, where it lies in the query, and the query's size in pixels. */
export interface Answer {
  readonly image: number;
  readonly truth: Homography;
  readonly width: number;
  readonly height: number;
}

/** @param answer  null for a query that shows none of the references */
export function judge({ shortlist, hits }: Found, answer: Answer | null): Outcome {
  const first = hits[0];
  const right = answer && first?.image === answer.image ? first : null;
  return {
    shortlisted: answer !== null && shortlist.includes(answer.image),
    score: right && right.score,
    decision: right ? right.info.decision : 'none',
    cornerError: right && cornerError(right.info, answer!),
    falseMatch: !right && isMatch(first) ? first : null,
  };
}

function cornerError({ query, reference, homography }: Hit['info'], { truth, width, height }: Answer): number {
  const [queryWidth, queryHeight] = query.resizedDimensions;
  const toFractions = scaling(1 / queryWidth, 1 / queryHeight);
  const found = compose(compose(toFractions, homography.coefficients), scaling(...reference.resizedDimensions));
  const unit = cornersOf({ width: 1, height: 1 });
  const right = projected(truth, unit);
  const off = projected(found, unit).map(([x, y], i) =>
    Math.hypot((x - right[i]![0]) * width, (y - right[i]![1]) * height),
  );
  return Math.max(...off) / Math.hypot(width, height);
}
