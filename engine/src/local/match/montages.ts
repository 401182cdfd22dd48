import type { Box } from '../../geometry/frame.ts';
import type { PairVerdict } from '../../partition/partition.ts';
import type { BoxMatch, ResultInfo } from '../../partition/result-info.ts';

/** How far the boxes of two parts may overlap, as a share of the query: the places of parts are not exact. */
const MAX_OVERLAP_SHARE = 0.05;

/**
 * A query that shows several references in different places is put together from them: of parts that have no place in common
 * with some other one, the relation is a montage. Verdicts of other types stay as they are. The order has no influence.
 */
export function withMontages<V extends PairVerdict>(verdicts: readonly V[]): V[] {
  const boxes = verdicts.flatMap(({ resultInfo }) => (isPart(resultInfo) ? [resultInfo.query.matchingBox] : []));
  const starts = [0, 1].map((axis) => Math.max(...boxes.map(({ topLeftPoint }) => topLeftPoint[axis])));
  const ends = [0, 1].map((axis) => Math.min(...boxes.map(({ bottomRightPoint }) => bottomRightPoint[axis])));
  const isBesideAnother = ({ topLeftPoint, bottomRightPoint }: Box): boolean =>
    [0, 1].some(
      (axis) =>
        starts[axis] > bottomRightPoint[axis] - MAX_OVERLAP_SHARE ||
        ends[axis] < topLeftPoint[axis] + MAX_OVERLAP_SHARE,
    );
  return verdicts.map((verdict) => {
    const { resultInfo } = verdict;
    if (!isPart(resultInfo) || !isBesideAnother(resultInfo.query.matchingBox)) return verdict;
    return { ...verdict, resultInfo: { ...resultInfo, relation: 'montage' } };
  });
}

/** Whether the reference, or a part of it, shows in a part of the query, on Media Matching. */
function isPart(resultInfo: ResultInfo | null): resultInfo is BoxMatch {
  return (
    resultInfo !== null &&
    'relation' in resultInfo &&
    resultInfo.relation === 'part' &&
    'topLeftPoint' in resultInfo.query.matchingBox
  );
}
