import { fraction } from '../../geometry/frame.ts';
import type { Sighting } from './match-pair.ts';
import type { View } from './variant.ts';
import type { Correspondence, Explanation, Verdict } from '../../partition/partition.ts';

/** Fewer features that look alike than this tell no place. */
const FEWEST = 2;

/**
 * What stands behind the comparison of a query with one picture.
 * @param sighting  undefined where nothing agreed on a place
 * @param verdict   undefined where it did not match
 */
export function explained(
  sighting: Sighting | undefined,
  verdict: Omit<Verdict, 'image'> | undefined,
  views: readonly View[],
): Explanation {
  const correspondences = sighting?.placements.flatMap((placement) => correspondencesOf(placement, sighting)) ?? [];
  const counted = Math.max(0, ...views.map(({ found }) => found[0]?.count ?? 0));
  const alike = sighting?.exact ? correspondences.length : counted;
  return { reason: reasonOf(sighting, verdict, alike), alike, correspondences };
}

function reasonOf(sighting: Sighting | undefined, verdict: Omit<Verdict, 'image'> | undefined, alike: number): string {
  if (verdict?.resultInfo && 'decision' in verdict.resultInfo) {
    const { decision } = verdict.resultInfo;
    return decision === 'Clone' || decision === 'Match' ? '' : decision;
  }
  if (alike < FEWEST) return `too few words in common: ${alike} features look alike`;
  if (!sighting) return `geometric test failed: ${alike} features look alike, no two of them agree on a place`;
  const [{ possible, evidence, agreements }] = sighting.placements;
  const agreeing = `${agreements.length} of ${alike} features that look alike agree on a place`;
  if (!possible) return `shape of the matching box: ${agreeing} that no camera could see so`;
  return `geometric test failed: ${agreeing}, which is too little evidence (${evidence.toFixed(2)})`;
}

function correspondencesOf({ agreements }: Sighting['placements'][number], sighting: Sighting): Correspondence[] {
  const { query, reference } = sighting;
  return agreements.map(({ query: [qx, qy], reference: [rx, ry], distance }) => ({
    query: [fraction(qx, query.width), fraction(qy, query.height)],
    reference: [fraction(rx, reference.width), fraction(ry, reference.height)],
    distance,
  }));
}
