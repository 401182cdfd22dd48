import type { Box } from '../../geometry/frame.ts';
import type { PairVerdict } from '../../partition/partition.ts';
import type { BoxMatch } from '../../partition/result-info.ts';
import { similarScore } from './box-match.ts';
import { MIN_MATCH_EVIDENCE } from './decision.ts';

/** What a better reference has: this factor of the evidence, which counts up to the limit, and so much more of the region agrees. */
const BETTER = { evidenceFactor: 1 / 0.6, maxEvidence: 12, moreAgreeing: 0.02 };
/** Another thing of one design agrees in most of the region, but its pixels do not follow one tone; an edited copy lacks the one or the other. */
const SAME_DESIGN = { minAgreeing: 0.8, maxToned: 0.6 };
/** Share of those so marked that are no copy. */
const SAME_DESIGN_WRONG_SHARE = 0.95;
/** Share of the larger box that two boxes have in common, from which on they are one region of the query. */
const MIN_COMMON_SHARE = 0.5;

/** A match of Media Matching. */
interface Contender<V> {
  readonly verdict: V;
  readonly info: BoxMatch;
  readonly evidence: number;
  readonly agreeing: number;
}

/**
 * Packages of one maker share a design, so a query that shows one of them also matches the others. Of the matches at one region
 * of the query, those that another reference explains much better become Similar. Copies of the better one agree as well
 * as it does, and stay. The order has no influence.
 */
export function markSameDesigns<V extends PairVerdict>(verdicts: readonly V[]): V[] {
  const contenders = verdicts.flatMap((verdict) => contenderOf(verdict) ?? []);
  const kept: Contender<V>[] = [];
  const marked = new Map<V, Contender<V>>();
  for (const contender of contenders.sort((a, b) => b.evidence - a.evidence)) {
    if (canShareDesign(contender) && kept.some((other) => isBetter(other, contender)))
      marked.set(contender.verdict, contender);
    else kept.push(contender);
  }
  return verdicts.map((verdict) => {
    const contender = marked.get(verdict);
    return contender ? asSimilar(contender) : verdict;
  });
}

function asSimilar<V extends PairVerdict>({ verdict, info }: Contender<V>): V {
  const score = similarScore(verdict.score);
  const resultInfo: BoxMatch = {
    ...info,
    distance: score,
    decision: 'Similar',
    relation: 'same design',
    false_match_probability: SAME_DESIGN_WRONG_SHARE,
  };
  return { ...verdict, score, resultInfo };
}

/** Undefined for a verdict of another type, and for one that is no match. */
function contenderOf<V extends PairVerdict>(verdict: V): Contender<V> | undefined {
  const { resultInfo, score } = verdict;
  if (resultInfo === null || !('decision' in resultInfo) || 'scores' in resultInfo) return undefined;
  if (resultInfo.decision === 'Similar') return undefined;
  return {
    verdict,
    info: resultInfo,
    evidence: MIN_MATCH_EVIDENCE * (1 / score - 1),
    agreeing: resultInfo.agreeingShare ?? 0,
  };
}

function canShareDesign<V extends PairVerdict>({ verdict, info, agreeing }: Contender<V>): boolean {
  const { toned = 1 } = verdict;
  return info.decision === 'Match' && agreeing >= SAME_DESIGN.minAgreeing && toned < SAME_DESIGN.maxToned;
}

function isBetter<V>(other: Contender<V>, { info, evidence, agreeing }: Contender<V>): boolean {
  return (
    Math.min(other.evidence, BETTER.maxEvidence) > BETTER.evidenceFactor * evidence &&
    other.agreeing >= agreeing + BETTER.moreAgreeing &&
    isOneRegion(other.info.query.matchingBox, info.query.matchingBox)
  );
}

function isOneRegion(one: Box, other: Box): boolean {
  const common = areaOf({
    topLeftPoint: [0, 1].map((axis) => Math.max(one.topLeftPoint[axis], other.topLeftPoint[axis])),
    bottomRightPoint: [0, 1].map((axis) => Math.min(one.bottomRightPoint[axis], other.bottomRightPoint[axis])),
  });
  return common >= MIN_COMMON_SHARE * Math.max(areaOf(one), areaOf(other));
}

function areaOf({
  topLeftPoint: [left, top],
  bottomRightPoint: [right, bottom],
}: Record<keyof Box, readonly number[]>): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}
