import { area, clipped, cornersOf, type Size } from '../../geometry/frame.ts';
import { type Homography, project } from '../../geometry/homography.ts';
import { cosines, sine } from '../../geometry/angle.ts';
import { type Alignment, alignFrom } from '../verify/alignment.ts';
import type { Effort } from '../verify/effort.ts';
import type { Tentative } from '../verify/tentative.ts';
import type { Overlap } from './overlap.ts';

/** Most bits in which the features differ that a look begins with, and how many of those are tried. */
export const MAX_SEED_BITS = 6;
const MAX_SEEDS = 6;
/** Scales and angles beside those of a feature, which are rough: levels lie a third of an octave apart, angles in 1/256. */
const TRIED_SCALES = [0.890899, 0.943874, 1, 1.059463, 1.122462];
const TRIED_ANGLES = [254, 0, 2];
/** Least shares of the overlap that agree and that follow its tone under the map of a feature, for maps beside it to be tried. */
const MIN_ROUGH_SHARE = { agreeing: 0.7, toned: 0.5 };
/** What the same pixels have at least: cells that agree, that follow the tone, that agree closely inside, and nearly equal ones. */
const MIN_SHARE = { agreeing: 0.95, toned: 0.92, inside: 0.8, equal: 0.45 };
/** Least share of the smaller picture that lies in the other one: small parts are whole pictures, or come from the middle of one. */
const MIN_CONTAINED_SHARE = 0.8;
/** Comparisons that an overlap counts as. */
const OVERLAP_COMPARISONS = 4000;

/** Of the overlap that two pictures have under a map, reference to query in frame pixels; undefined where that has too few cells. */
export type OverlapUnder = (map: Homography) => Overlap | undefined;

/**
 * A place where the miniatures of two pictures are the same though hardly any features agree. A small part of a picture has
 * two or three of its features, so one nearly equal feature determines a map, and the pixels decide.
 */
export function alignPixels(
  pairs: Tentative,
  overlapUnder: OverlapUnder,
  reference: Size,
  query: Size,
  effort: Effort,
): Alignment | undefined {
  const like = (map: Homography): number => {
    effort.spend(OVERLAP_COMPARISONS);
    const overlap = overlapUnder(map);
    return overlap && agreesRoughly(overlap) ? overlap.agreeing + overlap.toned : 0;
  };
  for (let i = 0; i < Math.min(pairs.count, MAX_SEEDS) && pairs.distance[i] <= MAX_SEED_BITS; i++) {
    let map = mapOf(pairs, i, 1, 0);
    let most = like(map);
    if (most === 0) continue;
    for (const scale of TRIED_SCALES)
      for (const angle of TRIED_ANGLES) {
        const next = mapOf(pairs, i, scale, angle);
        const likeness = like(next);
        if (likeness > most) [most, map] = [likeness, next];
      }
    const alignment = alignFrom(map, pairs, reference, query, effort);
    const found = alignment?.possible && isSame(overlapUnder(alignment.homography));
    if (found && contained(alignment.homography, reference, query) >= MIN_CONTAINED_SHARE) return alignment;
  }
  return undefined;
}

function agreesRoughly({ agreeing, toned }: Overlap): boolean {
  return agreeing >= MIN_ROUGH_SHARE.agreeing && toned >= MIN_ROUGH_SHARE.toned;
}

function isSame(overlap: Overlap | undefined): boolean {
  if (!overlap) return false;
  const { agreeing, toned, inside, equal = MIN_SHARE.equal } = overlap;
  return (
    agreeing >= MIN_SHARE.agreeing && toned >= MIN_SHARE.toned && inside >= MIN_SHARE.inside && equal >= MIN_SHARE.equal
  );
}

/** The similarity that a feature determines, with another scale and angle. */
function mapOf(
  { rx, ry, qx, qy, angle, rScale, qScale }: Tentative,
  i: number,
  scale: number,
  more: number,
): Homography {
  const size = (scale * qScale[i]) / rScale[i];
  const rotated = (angle[i] + more) & 255;
  const [a, b] = [size * cosines[rotated], size * sine(rotated)];
  return [a, -b, qx[i] - a * rx[i] + b * ry[i], b, a, qy[i] - b * rx[i] - a * ry[i], 0, 0, 1];
}

/** What lies in the other picture of the smaller one, as a share. */
export function contained(map: Homography, reference: Size, query: Size): number {
  const image = cornersOf(reference).map(([x, y]) => project(map, x, y));
  const smaller = Math.min(Math.abs(area(image)), query.width * query.height);
  return Math.abs(area(clipped(image, query))) / smaller;
}
