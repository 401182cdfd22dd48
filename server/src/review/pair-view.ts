import type { SideEdits } from '@sosia/engine';
import type { Links } from './links.ts';
import type { Candidate } from './proposal.ts';

/** Two linked pictures, seen from one of them. */
export interface PairView {
  readonly one: SideEdits;
  readonly other: SideEdits;
  /** Pixels along a line in the one by those along the same line in the other. */
  readonly scale: number;
  /** Whether one shows the other mirrored, or rotated by at least 22.5 degrees. */
  readonly turned: boolean;
  /** Whether the sides of one are not parallel to those of the other. */
  readonly tilted: boolean;
  /** Whether each block of JPEG of the one, 8 by 8 pixels, shows the same as one of the other, mirrored or turned by quarters where the pictures are. */
  readonly aligned: boolean;
  /** Whether rows of the one show what columns of the other do. */
  readonly transposed: boolean;
}

/** Radians; about one degree. */
const MIN_TILT = 0.02;
/** Sides of one by those of the other, up to which they have one size. */
const MAX_SCALE = 1.02;

/** From whichever of the two found the other; undefined where neither has. */
export function viewOf(one: Candidate, other: Candidate, links: Links): PairView | undefined {
  const pair = links.between(one.id, other.id)?.pair;
  if (pair) return { ...placedOf(pair.map, other, one), one: pair.edits[0], other: pair.edits[1] };
  const reverse = links.between(other.id, one.id)?.pair;
  if (!reverse) return undefined;
  const { scale, ...placed } = placedOf(reverse.map, one, other);
  return { ...placed, scale: 1 / scale, one: reverse.edits[1], other: reverse.edits[0] };
}

/** @param map  from the unit square of the one that was found to that of the one that found it */
function placedOf(map: readonly number[], found: Candidate, finder: Candidate): Omit<PairView, 'one' | 'other'> {
  const [width, height] = [(finder.width ?? 1) / (found.width ?? 1), (finder.height ?? 1) / (found.height ?? 1)];
  const depth = map[6]! / 2 + map[7]! / 2 + 1;
  const [x, y] = [(map[0]! / 2 + map[1]! / 2 + map[2]!) / depth, (map[3]! / 2 + map[4]! / 2 + map[5]!) / depth];
  // the derivative at the centre, in pixels of both
  const xx = ((map[0]! - x * map[6]!) / depth) * width;
  const xy = ((map[1]! - x * map[7]!) / depth) * ((finder.width ?? 1) / (found.height ?? 1));
  const yx = ((map[3]! - y * map[6]!) / depth) * ((finder.height ?? 1) / (found.width ?? 1));
  const yy = ((map[4]! - y * map[7]!) / depth) * height;
  const determinant = xx * yy - xy * yx;
  const angle = determinant < 0 ? Math.atan2(xy + yx, xx - yy) : Math.atan2(yx - xy, xx + yy);
  const quarter = Math.PI / 2;
  const scale = Math.sqrt(Math.abs(determinant));
  const turned = determinant < 0 || Math.abs(angle) >= Math.PI / 8;
  const tilted = Math.abs(angle - quarter * Math.round(angle / quarter)) >= MIN_TILT;
  const transposed = Math.abs(xy) > Math.abs(xx);
  const [sideX, sideY] = transposed ? [found.height, found.width] : [found.width, found.height];
  const ofOneSize = sideX === finder.width && sideY === finder.height;
  // blocks are counted from the first pixel, which is the last one of a side that runs the other way
  const inBlocks = (xx + xy > 0 || finder.width! % 8 === 0) && (yx + yy > 0 || finder.height! % 8 === 0);
  const aligned = ofOneSize && inBlocks && !tilted && Math.max(scale, 1 / scale) <= MAX_SCALE;
  return { scale, turned, tilted, aligned, transposed };
}
