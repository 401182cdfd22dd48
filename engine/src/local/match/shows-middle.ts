import type { Overlap } from '../overlap/overlap.ts';
import { type Cells, coverage, type Shown } from '../verify/coverage.ts';
import type { Sketch } from '../verify/guided-matching.ts';
import { densities } from './densities.ts';
import { isLikely } from './logistic-model.ts';
import type { Agreement, Placement } from './match-pair.ts';

/** The cells of the middle, by two measures: those that nothing hides, and a larger part with all of its cells. */
const UNHIDDEN_CELLS: Cells = { side: 8, rim: 2, visible: 2 };
const MIDDLE_CELLS: Cells = { side: 6, rim: 1, visible: 0 };
/** Evidence beyond which more says less, and beyond which it says nothing. */
const EVIDENCE_SATURATION = { low: 3, high: 5 };
/** Distance of close features, in bits of 64. */
const MAX_CLOSE_BITS = 8;
/** Share of a reference at each side that is no middle, and the least density that counts there. */
const MIDDLE = { rimShare: 0.14, minDensity: 0.01 };
/** What follows the tone, and what agrees around the middle, where miniatures are unknown: as much as in most prints. */
const DEFAULT_SHARE = 0.5;

/** Two pictures printed in one frame have its features and its pixels in common. */
const MIDDLE_MODEL = {
  weights: {
    lowEvidence: 240,
    highEvidence: 442,
    /** The share of the cells of the middle in which features were found, by both measures. */
    unhiddenCells: 338,
    middleCells: 538,
    /** What agrees closely of the inner part of the overlap, and the same of the cells with texture in both pictures. */
    agreeingInside: 170,
    texturedInside: 285,
    tonedInside: -330,
    /** What agrees around the middle. */
    agreeingAround: -317,
    closeFeatures: -112,
    /** The density of the features that agree in the middle, beside that of the rim. */
    middleDensity: 268,
  },
  intercept: -896,
};

/**
 * Whether the middle of a reference was found, as far as it should show. Two pictures in one frame, template or app screen have
 * much evidence, all of it outside of the middle. See docs/experiments/2026-11-22-frames.md.
 * @param overlap  of the miniatures, where that is known; otherwise the middle is judged by features alone
 */
export function showsMiddle(
  placement: Pick<Placement, 'evidence' | 'agreements'>,
  sketch: Sketch,
  shown: Shown,
  overlap: Overlap | undefined,
): boolean {
  const { evidence, agreements } = placement;
  const found = agreements.map(({ reference }) => reference);
  const [unhidden, larger] = [UNHIDDEN_CELLS, MIDDLE_CELLS].map((cells) => coverage(found, sketch, shown, cells));
  const inside = overlap?.inside ?? larger ?? unhidden;
  if (inside === undefined) return true;
  return isLikely(MIDDLE_MODEL, {
    lowEvidence: Math.min(1, evidence / EVIDENCE_SATURATION.low),
    highEvidence: Math.min(1, evidence / EVIDENCE_SATURATION.high),
    unhiddenCells: unhidden ?? inside,
    middleCells: larger ?? unhidden ?? inside,
    agreeingInside: inside,
    texturedInside: overlap?.middle?.alike ?? inside,
    tonedInside: overlap?.tonedInside ?? DEFAULT_SHARE,
    agreeingAround: overlap?.middle?.around ?? DEFAULT_SHARE,
    closeFeatures: closeShare(agreements),
    middleDensity: middleDensity(placement, shown),
  });
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
