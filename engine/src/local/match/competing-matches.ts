import type { PairVerdict } from '../../partition/partition.ts';
import type { QuadMatch } from '../../partition/result-info.ts';
import { isRejection, rejectedScore, strengthOf } from './quad-match.ts';

/** Share of another reference's evidence below which a reference is rejected at the same place … */
const MIN_EVIDENCE_SHARE = 0.75;
/** … or how much less of it agrees, where it has less evidence. */
const LESS_AGREEING = 0.05;
/** Features that the stronger reference has at the place, as a share of those of the weaker one: at least so many. */
const MIN_EXPLAINED_SHARE = 0.2;
/** Share of the features left out at each side of a place, since a few agree by chance. */
const TRIMMED_SHARE = 0.05;

/** A match and where it is in the query. */
interface PlacedMatch<V extends PairVerdict> {
  readonly verdict: V;
  /** The evidence, up to a factor; infinite for an exact copy. */
  readonly evidence: number;
  /** The share of the overlap that agrees; 0 where it is unknown. */
  readonly agreeing: number;
  readonly places: readonly Float32Array[];
}

/**
 * Packages of one maker share a design, and wordmarks share letters, so a query that shows one of them also matches the
 * others, with less evidence. Of the matches at one place of the query, those with far less evidence than another, or
 * with less evidence and agreement, become rejections. A picture pasted over another one stays, since the other one has no features there. Verdicts without places stay
 * as they are, and a rejection with places rejects others, too. The order has no influence.
 */
export function rejectWeaker<V extends PairVerdict>(verdicts: readonly V[]): V[] {
  const matches = verdicts.flatMap((verdict): PlacedMatch<V>[] => {
    const { places, resultInfo } = verdict;
    if (!places) return [];
    const info = resultInfo as QuadMatch;
    return [{ verdict, evidence: 1 / strengthOf(info) - 1, agreeing: info.agreeingShare ?? 0, places }];
  });
  const kept: PlacedMatch<V>[] = [];
  const rejected = new Set<V>();
  for (const match of matches.sort((a, b) => b.evidence - a.evidence)) {
    const stronger = kept.filter((other) => isStronger(other, match));
    const explained = match.places.every((place) => stronger.some((other) => explains(other, place)));
    if (explained && !isRejection(match.verdict.resultInfo as QuadMatch)) rejected.add(match.verdict);
    else kept.push(match);
  }
  return verdicts.map((verdict) => (rejected.has(verdict) ? rejection(verdict) : verdict));
}

function isStronger<V extends PairVerdict>(other: PlacedMatch<V>, { evidence, agreeing }: PlacedMatch<V>): boolean {
  if (evidence < MIN_EVIDENCE_SHARE * other.evidence) return true;
  return evidence < other.evidence && agreeing > 0 && agreeing <= other.agreeing - LESS_AGREEING;
}

/** Whether a reference has features where another one has its own. */
function explains<V extends PairVerdict>({ places }: PlacedMatch<V>, place: Float32Array): boolean {
  const [left, right] = middle(place.filter((_, i) => i % 2 === 0));
  const [top, bottom] = middle(place.filter((_, i) => i % 2 === 1));
  const inside = (points: Float32Array): number => {
    let count = 0;
    for (let i = 0; i < points.length; i += 2) {
      const [x, y] = [points[i], points[i + 1]];
      if (x >= left && x <= right && y >= top && y <= bottom) count++;
    }
    return count;
  };
  const here = places.reduce((sum, points) => sum + inside(points), 0);
  return here >= MIN_EXPLAINED_SHARE * inside(place);
}

/** The range of the values without the strays. */
function middle(values: Float32Array): [number, number] {
  const sorted = values.toSorted();
  const stray = Math.floor(TRIMMED_SHARE * sorted.length);
  return [sorted[stray], sorted[sorted.length - 1 - stray]];
}

function rejection<V extends PairVerdict>(verdict: V): V {
  const { instances: _, ...info } = verdict.resultInfo as QuadMatch;
  const score = rejectedScore(verdict.score);
  return {
    ...verdict,
    score,
    resultInfo: { ...info, distance: score, decision: 'Rejection due to geometric test', relation: 'same design' },
  };
}
