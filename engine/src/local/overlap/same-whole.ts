import { imageOf, type Size } from '../../geometry/frame.ts';
import type { Homography } from '../../geometry/homography.ts';
import { SURE } from '../verify/alignment.ts';
import type { Effort } from '../verify/effort.ts';
import { support, UNDER_FORESHORTENED } from '../verify/evidence.ts';
import { matchGuided, type Scene, type Sketch } from '../verify/guided-matching.ts';
import type { Aligned } from '../verify/repeats.ts';
import type { Overlap } from './overlap.ts';
import type { OverlapUnder } from './same-pixels.ts';

/** Least likeness of the layouts of two pictures that may be the same as wholes. */
export const ALIKE = 0.8;
/** Comparisons that a layout counts as, and an overlap with its bands. */
export const LAYOUT_COST = 500;
const OVERLAP_COST = 8000;

/** What guided matching finds at least: of a picture with strips, and of one that is only stretched. */
const [SUPPORT, SUPPORT_STRETCHED] = [3, 4];
/** What a stretched picture has at least: cells that agree, that follow the tone, and that agree closely inside. */
const [AGREES, FOLLOWS, INSIDE] = [0.97, 0.8, 0.95];
/** What a picture with strips has at least: bands that agree along the strips, and how many more than across. */
const [ALONG, MORE] = [0.62, 0.35];
/** Nearly equal cells that it has at most: its windows have pieces of strips. Pictures of like things, such as two charts, have more. */
const EQUAL = 0.15;

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
  if (found < SUPPORT) return undefined;
  // few features may bend the map
  const map = [alignment.homography, homography].find((map) => {
    effort.spend(OVERLAP_COST);
    const overlap = overlapUnder(map);
    return overlap && ((found >= SUPPORT_STRETCHED && isSame(overlap)) || isStriped(overlap));
  });
  const evidence = Math.max(SURE, UNDER_FORESHORTENED * found);
  return map && { pairs, alignment: { ...alignment, homography: map, evidence } };
}

function isSame({ agreeing, toned, inside }: Overlap): boolean {
  return agreeing >= AGREES && toned >= FOLLOWS && inside >= INSIDE;
}

function isStriped({ equal = 0, bands }: Overlap): boolean {
  return bands !== undefined && equal <= EQUAL && bands.along >= ALONG && bands.along - bands.across >= MORE;
}
