import type { Overlap } from '../overlap/overlap.ts';
import { coverage, type Shown } from '../verify/coverage.ts';
import type { Sketch } from '../verify/guided-matching.ts';
import { densities } from './densities.ts';
import type { Placement } from './match-pair.ts';
import { closeShare } from './shows-middle.ts';

/** Cells of the reference along a side, in which its features are found. */
const CELLS = { side: 4, rim: 0, visible: 0 };
/** Evidence beyond which more says less, and beyond which it says nothing. */
const [SOME, MUCH] = [3, 10];
/** Share of the query's features in the place of a logo that agree, beyond which more says no more. */
const DENSE = 0.25;
/** What miniatures have in common where too few cells of them show. */
const UNKNOWN = { agreeing: 0.5, inside: 0.35, tonedInside: 0.4 };

/**
 * Weights in hundredths, of a logistic regression: evidence, twice; cells with a find; close features; what agrees of the overlap, what
 * agrees closely inside, and what follows the tone there; what agrees of the query's features; then the constant.
 */
const WEIGHTS = [412, 643, 263, -218, 100, 199, -298, 202];
const CONSTANT = -566;

/**
 * Whether a logo shows, and not lettering or strokes that resemble a part of it: these agree in a small part of the reference, and
 * the pictures differ around it. See docs/experiments/2026-11-22-logos-and-lettering.md.
 * @param overlap  of the miniatures, where that is known
 */
export function showsLogo(
  placement: Pick<Placement, 'evidence' | 'agreements'>,
  sketch: Sketch,
  shown: Shown,
  overlap: Pick<Overlap, 'agreeing' | 'inside' | 'tonedInside'> = UNKNOWN,
): boolean {
  const { evidence, agreements } = placement;
  const found = agreements.map(({ reference }) => reference);
  const features = [
    Math.min(1, evidence / SOME),
    Math.min(1, evidence / MUCH),
    coverage(found, sketch, shown, CELLS) ?? 0,
    closeShare(agreements),
    overlap.agreeing,
    overlap.inside,
    overlap.tonedInside,
    Math.min(1, densities(placement, shown).part / DENSE),
  ];
  return WEIGHTS.reduce((sum, weight, i) => sum + weight * features[i], CONSTANT) >= 0;
}
