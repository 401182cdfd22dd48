import { keypointsOf } from '../../dna/local.ts';
import type { Size } from '../../geometry/frame.ts';
import { project } from '../../geometry/homography.ts';
import type { Bounds, Overlap } from '../overlap/overlap.ts';
import type { Contradiction } from '../overlap/contradiction.ts';
import { contained } from '../overlap/same-pixels.ts';
import { cellOf } from '../verify/cell.ts';
import type { Sketch } from '../verify/guided-matching.ts';
import { innerPlaces } from './inner-places.ts';
import type { Agreement, Placement } from './match-pair.ts';

/**
 * What distinguishes copies from pictures that share a frame, a design or a pose. All are 0 to 1. A frame contradicts where a copy with
 * a hidden part says nothing; a form with other entries agrees in its cells, but not in the features there.
 */
export const copyFeatureNames = [
  'evidence from 2 to 3',
  'evidence',
  'agreements',
  'close features',
  'inner places',
  'evidence of the middle',
  'compact',
  'nearly equal',
  'agreeing',
  'contradicting',
  'agreeing of textured cells',
  'contradicting of textured cells',
  'agreeing around the middle',
  'contradicting inside',
  'features lost where cells agree',
  'features found where cells agree',
  'tone of the whole',
  'closely agreeing inner part',
  'levels that agree',
  'levels that contradict',
  'contained',
] as const;
export type CopyFeatureName = (typeof copyFeatureNames)[number];

/** An overlap with its cells that say something. */
export type ComparedOverlap = Overlap & { readonly contradiction: Contradiction };

/** Distance of close features, and of those that count in the middle, in bits of 64. */
const MAX_CLOSE_BITS = { anywhere: 8, middle: 10 };
/** What the middle leaves out at each side of the overlap, as a share. */
const OUTER_SHARE = 0.3;
/** Evidence and agreements that count half as much as endless ones. */
const HALF_SATURATION = { evidence: 20, agreements: 30 };
/** Evidence of the middle and inner places beyond which more say no more. */
const SATURATION = { middleEvidence: 4, innerPlaces: 6 };
/** Share of the equal cells where they are too few to count. */
const DEFAULT_EQUAL_SHARE = 0.5;
/** Distance at which a correspondence is worth nothing. */
const ZERO_WORTH_BITS = 22;

/** The features of a pair, in the order of their names. */
export function copyFeatures(
  { query, reference }: { readonly query: Size; readonly reference: Size },
  placement: Placement,
  sketch: Sketch,
  overlap: ComparedOverlap,
): number[] {
  const { agreements, evidence } = placement;
  const { equal = DEFAULT_EQUAL_SHARE, contradiction } = overlap;
  const shares = sharesOf(overlap.bounds, reference, query);
  const close = agreements.filter(({ distance }) => distance <= MAX_CLOSE_BITS.anywhere).length;
  const { lost, found } = featuresWhereCellsAgree({ query, reference }, placement, sketch, overlap);
  return [
    clamped(evidence - 2),
    evidence / (evidence + HALF_SATURATION.evidence),
    agreements.length / (agreements.length + HALF_SATURATION.agreements),
    close / Math.max(1, agreements.length),
    clamped(innerPlaces(placement, reference) / SATURATION.innerPlaces),
    clamped(middleEvidence(agreements, shares) / SATURATION.middleEvidence),
    overlap.compact,
    equal,
    contradiction.agreeing,
    contradiction.contradicting,
    contradiction.agreeingShare,
    contradiction.contradictingShare,
    contradiction.agreeingAround,
    contradiction.contradictingInside,
    lost,
    found,
    overlap.toned,
    overlap.inside,
    contradiction.agreeingLevels,
    contradiction.contradictingLevels,
    contained(placement.homography, reference, query),
  ];
}

/** Shares of the width and of the height of the overlap, for a place in the picture in which it is counted. */
interface OverlapShares {
  readonly ofReference: boolean;
  readonly across: (x: number) => number;
  readonly down: (y: number) => number;
}

function sharesOf({ ofReference, left, top, right, bottom }: Bounds, reference: Size, query: Size): OverlapShares {
  const { width, height } = ofReference ? reference : query;
  return {
    ofReference,
    across: (x) => (x / width - left) / (right - left),
    down: (y) => (y / height - top) / (bottom - top),
  };
}

/** The evidence of the closest features alone, and of those in the middle of the overlap. */
function middleEvidence(agreements: readonly Agreement[], { ofReference, across, down }: OverlapShares): number {
  const isMiddle = (at: number): boolean => at >= OUTER_SHARE && at <= 1 - OUTER_SHARE;
  const middle = agreements.filter(({ reference, query, distance }) => {
    const [x, y] = ofReference ? reference : query;
    return distance <= MAX_CLOSE_BITS.middle && isMiddle(across(x)) && isMiddle(down(y));
  });
  const worth = (side: 'reference' | 'query'): number => {
    const best = new Map<number, number>();
    for (const { [side]: point, distance } of middle) {
      const cell = cellOf(...point);
      best.set(cell, Math.max(best.get(cell) ?? 0, 1 - distance / ZERO_WORTH_BITS));
    }
    return sum(best.values());
  };
  return Math.min(worth('reference'), worth('query'));
}

/** Of the reference's features that should show: lost ones in cells that agree, and found ones of those in such cells. */
function featuresWhereCellsAgree(
  { query, reference }: { readonly query: Size; readonly reference: Size },
  { agreements, homography }: Placement,
  sketch: Sketch,
  { bounds, contradiction: { width, height, agrees } }: ComparedOverlap,
): { lost: number; found: number } {
  const placeOf = (x: number, y: number): number => PLACE_PITCH * Math.floor(x) + Math.floor(y);
  const found = new Set(agreements.map(({ reference: [x, y] }) => placeOf(x, y)));
  const { x, y } = keypointsOf(sketch);
  let [shown, lost, among] = [0, 0, 0];
  for (let i = 0; i < sketch.count; i++) {
    const [qx, qy] = project(homography, x[i], y[i]);
    if (!(qx >= 0 && qy >= 0 && qx < query.width && qy < query.height)) continue;
    const [u, v] = bounds.ofReference
      ? [x[i] / reference.width, y[i] / reference.height]
      : [qx / query.width, qy / query.height];
    shown++;
    if (!agrees[width * Math.floor(height * v) + Math.floor(width * u)]) continue;
    among++;
    if (!found.has(placeOf(x[i], y[i]))) lost++;
  }
  return { lost: shown > 0 ? lost / shown : 0.5, found: among > 0 ? 1 - lost / among : 0.5 };
}

/** More than any coordinate in a frame. Correspondences know a place by its pixel. */
const PLACE_PITCH = 4096;

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function clamped(value: number): number {
  return Math.min(1, Math.max(0, value));
}
