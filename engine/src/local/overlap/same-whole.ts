import { imageOf, type Size } from '../../geometry/frame.ts';
import type { Homography } from '../../geometry/homography.ts';
import { SUFFICIENT_EVIDENCE } from '../verify/alignment.ts';
import type { Effort } from '../verify/effort.ts';
import { support, FORESHORTENED_FACTOR } from '../verify/evidence.ts';
import { matchGuided, type Scene, type Sketch } from '../verify/guided-matching.ts';
import type { Aligned } from '../verify/repeats.ts';
import type { Overlap } from './overlap.ts';
import type { OverlapUnder } from './same-pixels.ts';

/** Least likeness of the layouts of two pictures that may be the same as wholes. */
export const MIN_LAYOUT_LIKENESS = 0.8;
/** Comparisons that a layout counts as, and an overlap with its bands. */
export const LAYOUT_COMPARISONS = 500;
const OVERLAP_COMPARISONS = 8000;

/** What guided matching finds at least: of a picture with strips, and of one that is only stretched. */
const MIN_SUPPORT = { striped: 3, stretched: 4 };
/** What a stretched picture has at least: cells that agree, that follow the tone, and that agree closely inside. */
const MIN_STRETCHED_SHARE = { agreeing: 0.97, toned: 0.8, inside: 0.95 };
/** What a picture with strips has at least: bands that agree along the strips, and how many more than across. */
const MIN_BAND_SHARE = { along: 0.62, excess: 0.35 };
/** Nearly equal cells that it has at most: its windows have pieces of strips. Pictures of like things, such as two charts, have more. */
const MAX_STRIPED_EQUAL_SHARE = 0.15;

/**
 * The map that aligns the frame of a reference with that of a query, where both are the same picture: stretched, or with strips over
 * it. Features change too much then to find the map, but where it is known, guided matching finds some and the miniatures decide.
 * @param scene  the query's, or that of its mirror image
 * @param overlapUnder  with bands where the pictures may have strips
 */
export function alignWhole(
  reference: Size & { readonly sketch: Sketch },
  scene: Scene,
  overlapUnder: OverlapUnder,
  effort: Effort,
): Aligned | undefined {
  const { width, height } = scene.size;
  const homography: Homography = [width / reference.width, 0, 0, 0, height / reference.height, 0, 0, 0, 1];
  if (!imageOf(homography, reference, scene.size)) return undefined;
  const whole = { homography, inliers: [], evidence: 1, possible: true };
  const { pairs, alignment } = matchGuided(whole, reference.sketch, reference, scene, effort);
  const found = support(pairs, alignment.inliers);
  if (found < MIN_SUPPORT.striped) return undefined;
  // few features may bend the map
  const map = [alignment.homography, homography].find((map) => {
    effort.spend(OVERLAP_COMPARISONS);
    const overlap = overlapUnder(map);
    return overlap && ((found >= MIN_SUPPORT.stretched && isSame(overlap)) || isStriped(overlap));
  });
  const evidence = Math.max(SUFFICIENT_EVIDENCE, FORESHORTENED_FACTOR * found);
  return map && { pairs, alignment: { ...alignment, homography: map, evidence } };
}

function isSame({ agreeing, toned, inside }: Overlap): boolean {
  return (
    agreeing >= MIN_STRETCHED_SHARE.agreeing &&
    toned >= MIN_STRETCHED_SHARE.toned &&
    inside >= MIN_STRETCHED_SHARE.inside
  );
}

function isStriped({ equal = 0, bands }: Overlap): boolean {
  return (
    bands !== undefined &&
    equal <= MAX_STRIPED_EQUAL_SHARE &&
    bands.along >= MIN_BAND_SHARE.along &&
    bands.along - bands.across >= MIN_BAND_SHARE.excess
  );
}
