import type { Overlap } from '../overlap/overlap.ts';
import { type Cells, coverage, type Shown } from '../verify/coverage.ts';
import type { Sketch } from '../verify/guided-matching.ts';
import type { Agreement, Placement } from './match-pair.ts';

/** The cells of the middle, by two measures: those that nothing hides, and a larger part with all of its cells. */
const UNHIDDEN: Cells = { side: 8, rim: 2, visible: 2 };
const LARGER: Cells = { side: 6, rim: 1, visible: 0 };
/** Evidence beyond which more says no more. */
const MUCH = 10;
/** Distance of close features, in bits of 64. */
const CLOSE = 8;
/** What follows the tone where miniatures are unknown: as much as in most prints. */
const UNKNOWN_TONE = 0.5;

/**
 * Weights in hundredths, of a logistic regression: evidence, both measures of the middle, what agrees closely of the inner part of
 * the overlap, what follows the tone there, close features; then the constant. Reflections change the tone, and a camera changes
 * features, but two pictures printed in one frame have its pixels in common.
 */
const WEIGHTS = [-128, 612, 678, 585, -399, -367];
const CONSTANT = -197;

/**
 * Whether the middle of a reference was found, as far as it should show. Two pictures in one frame, template or app screen have
 * much evidence, all of it outside of the middle. See docs/experiments/2026-11-22-frames.md.
 * @param overlap  of the miniatures, where that is known; otherwise the middle is judged by features alone
 */
export function showsMiddle(
  { evidence, agreements }: Pick<Placement, 'evidence' | 'agreements'>,
  sketch: Sketch,
  shown: Shown,
  overlap: Overlap | undefined,
): boolean {
  const found = agreements.map(({ reference }) => reference);
  const [unhidden, larger] = [UNHIDDEN, LARGER].map((cells) => coverage(found, sketch, shown, cells));
  const inside = overlap?.inside ?? larger ?? unhidden;
  if (inside === undefined) return true;
  const tone = overlap?.tonedInside ?? UNKNOWN_TONE;
  const features = [
    Math.min(1, evidence / MUCH),
    unhidden ?? inside,
    larger ?? inside,
    inside,
    tone,
    closeShare(agreements),
  ];
  return WEIGHTS.reduce((sum, weight, i) => sum + weight * features[i], CONSTANT) >= 0;
}

/** The share of close features. */
export function closeShare(agreements: readonly Agreement[]): number {
  return agreements.filter(({ distance }) => distance <= CLOSE).length / Math.max(1, agreements.length);
}
