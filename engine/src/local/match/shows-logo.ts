import { area, clipped, cornersOf, type Point, type Size } from '../../geometry/frame.ts';
import { project } from '../../geometry/homography.ts';
import type { Overlap } from '../overlap/overlap.ts';
import { coverage, type Shown } from '../verify/coverage.ts';
import type { Sketch } from '../verify/guided-matching.ts';
import { copyFeatures } from './copy-features.ts';
import { isCopy } from './copy-model.ts';
import { densities } from './densities.ts';
import { isLikely } from './logistic-model.ts';
import type { Placement } from './match-pair.ts';
import { closeShare } from './shows-middle.ts';

/** Cells of the reference along a side, in which its features are found. */
const COVERAGE_CELLS = { side: 4, rim: 0, visible: 0 };
/** Evidence, features that agree, and their share of the query's features in the place of the logo, beyond which more say nothing. */
const SATURATION = { evidence: 10, agreements: 20, density: 0.5 };
/** Share of the features that agree left out at each side of what they span. */
const TRIMMED_SHARE = 0.1;
/** Share of the query from which on a reference is compared as a picture is. */
const MIN_PICTURE_SHARE = 0.5;
/** What miniatures have in common where too few cells of them show. */
const DEFAULT_OVERLAP = { agreeing: 0.5, inside: 0.35, tonedInside: 0.4 };

/** With the same evidence, letters that agree by chance are more features, spread wider. */
const LOGO_MODEL = {
  weights: {
    evidence: 1162,
    /** The share of the reference's cells in which features were found. */
    coverage: 486,
    closeFeatures: -401,
    /** What agrees of the overlap, what agrees closely inside, and what follows the tone there. */
    agreeing: 99,
    agreeingInside: 201,
    tonedInside: -112,
    /** What lies in the picture. */
    shown: 474,
    /** What agrees of the query's features in the place of the logo. */
    density: 176,
    /** What the features that agree span, and how many they are. */
    span: -314,
    agreements: -220,
  },
  intercept: -688,
};

/**
 * Whether a logo shows, and not lettering or strokes that resemble a part of it: these agree in a small part of the reference, and
 * the pictures differ around it. See docs/experiments/2026-11-22-logos-and-lettering.md.
 * @param overlap  of the miniatures, where that is known
 */
export function showsLogo(
  placement: Pick<Placement, 'evidence' | 'agreements'>,
  sketch: Sketch,
  shown: Shown,
  overlap: Pick<Overlap, 'agreeing' | 'inside' | 'tonedInside'> = DEFAULT_OVERLAP,
): boolean {
  const { evidence, agreements } = placement;
  const found = agreements.map(({ reference }) => reference);
  return isLikely(LOGO_MODEL, {
    evidence: Math.min(1, evidence / SATURATION.evidence),
    coverage: coverage(found, sketch, shown, COVERAGE_CELLS) ?? 0,
    closeFeatures: closeShare(agreements),
    agreeing: overlap.agreeing,
    agreeingInside: overlap.inside,
    tonedInside: overlap.tonedInside,
    shown: shownShare(shown),
    density: Math.min(1, densities(placement, shown).part / SATURATION.density),
    span: spannedShare(found, shown.reference),
    agreements: Math.min(1, agreements.length / SATURATION.agreements),
  });
}

/**
 * Whether a reference takes so much of the query that it is the picture and not a mark in it, and is no copy of what shows there.
 * @param overlap  of the miniatures, where that is known; otherwise nothing is
 */
export function showsAnotherThing(
  placement: Placement,
  sketch: Sketch,
  shown: Shown,
  overlap: Overlap | undefined,
): boolean {
  if (!overlap?.contradiction) return false;
  const { map, reference, query } = shown;
  const image = cornersOf(reference).map(([x, y]) => project(map, x, y));
  if (Math.abs(area(image)) < MIN_PICTURE_SHARE * query.width * query.height) return false;
  const { contradiction } = overlap;
  return !isCopy(copyFeatures(shown, placement, sketch, { ...overlap, contradiction }));
}

/** What lies in the query of the place of a reference, as a share of that place. */
function shownShare({ map, reference, query }: Shown): number {
  const image = cornersOf(reference).map(([x, y]) => project(map, x, y));
  return Math.abs(area(clipped(image, query)) / area(image));
}

/** The area that places span without their strays, as a share of the reference's. */
function spannedShare(found: readonly Point[], { width, height }: Size): number {
  const span = (axis: 0 | 1): number => {
    const sorted = found.map((place) => place[axis]).sort((a, b) => a - b);
    return sorted[Math.floor((1 - TRIMMED_SHARE) * sorted.length)] - sorted[Math.floor(TRIMMED_SHARE * sorted.length)];
  };
  return (span(0) * span(1)) / (width * height);
}
