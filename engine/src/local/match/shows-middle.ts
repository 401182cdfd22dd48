import type { Overlap } from '../overlap/overlap.ts';
import { type Cells, coverage, type Shown } from '../verify/coverage.ts';
import type { Sketch } from '../verify/guided-matching.ts';
import { densities } from './densities.ts';
import { isLikelyByProducts, type ProductWeights } from './logistic-model.ts';
import type { Agreement, Placement } from './match-pair.ts';

/** The cells of a reference, without those that a hand or a reflection hides, and those of its middle. */
const CELLS: Cells = { side: 8, rim: 0, visible: 2 };
const MIDDLE_CELLS: Cells = { side: 6, rim: 1, visible: 0 };
/** Evidence that counts half as much as endless evidence, and the same of the support as a multiple of what chance gives. */
const HALF_SATURATION = { evidence: 10, beyondChance: 6 };
/** Distance of close features, in bits of 64. */
const MAX_CLOSE_BITS = 8;
/** Share of a reference at each side that is no middle, and the least density that counts there. */
const MIDDLE = { rimShare: 0.14, minDensity: 0.01 };
/** What agrees around the middle, where miniatures are unknown: as much as in most prints. */
const DEFAULT_SHARE = 0.5;

/** The rows are the features in the order of `showsMiddle`. */
const WEIGHTS: ProductWeights = [
  [-521],
  [-101, -92],
  [828, -155, 604],
  [-379, 140, -37, -104],
  [-201, 711, 19, 230, 255],
  [-147, 100, -496, -651, -197, -220],
  [-523, 91, -1134, 398, 1171, 508, 177],
  [42, 231, 1304, 99, -41, 524, -688, -320],
];

/**
 * Whether a print shows, and no other one. Two pictures in one frame, template or app screen have much evidence, all of it outside of
 * the middle. Smooth things on plain ground have outlines in common, which agree with a displaced map as well. See
 * docs/experiments/2026-11-25-against-chance.md.
 * @param overlap  of the miniatures, where that is known; otherwise the middle is judged by features alone
 */
export function showsMiddle(
  placement: Pick<Placement, 'evidence' | 'agreements' | 'chance'>,
  sketch: Sketch,
  shown: Shown,
  overlap: Pick<Overlap, 'inside' | 'middle'> | undefined,
): boolean {
  const { evidence, agreements } = placement;
  const found = agreements.map(({ reference }) => reference);
  const cells = coverage(found, sketch, shown, CELLS) ?? 0;
  const inside = overlap?.inside ?? coverage(found, sketch, shown, MIDDLE_CELLS) ?? cells;
  return isLikelyByProducts(WEIGHTS, [
    evidence / (evidence + HALF_SATURATION.evidence),
    beyondChance(placement),
    cells,
    overlap?.middle?.alike ?? inside,
    overlap?.middle?.around ?? DEFAULT_SHARE,
    closeShare(agreements),
    middleDensity(placement, shown),
  ]);
}

/** How far the support exceeds that of the same map displaced; without displaced maps, all of the evidence is beyond chance. */
function beyondChance({ evidence, chance }: Pick<Placement, 'evidence' | 'chance'>): number {
  const { support, displaced } = chance ?? { support: evidence, displaced: 0 };
  return support / (support + HALF_SATURATION.beyondChance * (1 + displaced));
}

/** What the density of the features that agree is in the middle, as a share of that in the middle and at the rim together. */
function middleDensity(placement: Pick<Placement, 'agreements'>, shown: Shown): number {
  const isMiddle = (x: number, y: number): boolean => Math.min(x, y, 1 - x, 1 - y) >= MIDDLE.rimShare;
  const { part, rest } = densities(placement, shown, isMiddle);
  return (part + MIDDLE.minDensity) / (part + rest + 2 * MIDDLE.minDensity);
}

/** The share of close features. */
export function closeShare(agreements: readonly Agreement[]): number {
  return agreements.filter(({ distance }) => distance <= MAX_CLOSE_BITS).length / Math.max(1, agreements.length);
}
