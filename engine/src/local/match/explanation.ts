import { fraction } from '../../geometry/frame.ts';
import type { Correspondence, Explanation, PairVerdict } from '../../partition/partition.ts';
import type { Correspondences } from '../index/correspondences.ts';
import type { PairMatch, Placement } from './match-pair.ts';

/** Fewer correspondences than this determine no place. */
const MIN_CORRESPONDENCES = 2;

/**
 * Why a query matches a reference or does not.
 * @param match    undefined where nothing agreed on a place
 * @param verdict  undefined where the pictures do not match
 * @param found    the correspondences of each variant
 */
export function explanation(
  match: PairMatch | undefined,
  verdict: PairVerdict | undefined,
  found: readonly Correspondences[],
): Explanation {
  const correspondences = match?.placements.flatMap((placement) => correspondencesOf(placement, match)) ?? [];
  const most = Math.max(0, ...found.map(({ count }) => count));
  const alike = match?.exact ? correspondences.length : most;
  return { reason: reasonOf(match, verdict, alike), alike, correspondences };
}

function reasonOf(match: PairMatch | undefined, verdict: PairVerdict | undefined, alike: number): string {
  if (verdict?.resultInfo && 'decision' in verdict.resultInfo) {
    const { decision } = verdict.resultInfo;
    return decision === 'Clone' || decision === 'Match' ? '' : decision;
  }
  if (alike < MIN_CORRESPONDENCES)
    return `too few words in common: ${alike} ${alike === 1 ? 'feature looks' : 'features look'} alike`;
  if (!match) return `geometric test failed: ${alike} features look alike, no two of them agree on a place`;
  const [{ possible, evidence, agreements }] = match.placements;
  const agreeing = `${agreements.length} of ${alike} features that look alike agree on a place`;
  if (!possible) return `shape of the matching box: ${agreeing} that no camera could see so`;
  return `geometric test failed: ${agreeing}, which is too little evidence (${evidence.toFixed(2)})`;
}

function correspondencesOf({ agreements }: Placement, { query, reference }: PairMatch): Correspondence[] {
  return agreements.map(({ query: [qx, qy], reference: [rx, ry], distance }) => ({
    query: [fraction(qx, query.width), fraction(qy, query.height)],
    reference: [fraction(rx, reference.width), fraction(ry, reference.height)],
    distance,
  }));
}
