import type { Homography } from '../../geometry/homography.ts';
import type { Miniature } from '../../dna/miniature.ts';
import type { Size } from '../../geometry/frame.ts';
import { type CommonGrid, onCommonGrid } from './common-grid.ts';
import { WindowMoments } from './window-moments.ts';

/** How much of two pictures is the same where they overlap. Shares of the area of the overlap. */
export interface Overlap {
  /** What agrees. */
  readonly agreeing: number;
  /** The largest connected part that does not agree. */
  readonly apart: number;
  /** What agrees closely of the inner part: all of it but a fifth at each side. */
  readonly inside: number;
}

/** A picture by the size of its frame and its miniature, where its DNA has one. */
export interface Side extends Size {
  readonly miniature?: Miniature | undefined;
}

/** Cells along the side of the window whose patterns are compared: 2 * RADIUS + 1. */
const RADIUS = 2;
/** Least correlation of two windows that agree, and of two that agree closely. */
const [AGREES, CLOSELY] = [0.5, 0.7];
/** Added to the variance of a window as noise that both have in common: a share of the variance of all, and a square of cell values. */
const [NOISE, ROUNDING] = [0.02, 0.1];
/** Fewer cells than this show too little. */
const FEWEST = 20;
/** Width of what is not inside, as a share of the overlap's width and height. */
const OUTSIDE = 0.2;

/**
 * Compares two miniatures under a map by the normalised correlation of small windows, which light and contrast do not
 * change. Colours may be inverted in the whole.
 * @param homography  reference to query, in frame pixels
 * @returns undefined where a picture has no miniature or the overlap too few cells
 */
export function overlapOf(reference: Side, query: Side, homography: Homography): Overlap | undefined {
  if (!reference.miniature || !query.miniature) return undefined;
  const pair = onCommonGrid(reference, reference.miniature, query, query.miniature, homography);
  if (!pair || pair.covered < FEWEST) return undefined;
  const [plain, inverted] = correlations(pair);
  const upright = overlapIn(plain, pair);
  if (upright.agreeing === 1) return upright;
  const negative = overlapIn(inverted, pair);
  return negative.agreeing > upright.agreeing ? negative : upright;
}

/** Of the window around each cell, as the pictures are and with one of them inverted; NaN beside the overlap. */
function correlations({ width, height, one, other }: CommonGrid): [Float64Array, Float64Array] {
  const moments = new WindowMoments(one, other, width, height);
  const all = moments.within(0, 0, width, height);
  const noiseOne = NOISE * all.one + ROUNDING;
  const noiseOther = NOISE * all.other + ROUNDING;
  const common = Math.sqrt(noiseOne * noiseOther);
  const plain = new Float64Array(one.length).fill(NaN);
  const inverted = plain.slice();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (Number.isNaN(other[width * y + x])) continue;
      const window = moments.within(x - RADIUS, y - RADIUS, x + RADIUS + 1, y + RADIUS + 1);
      const scale = Math.sqrt((window.one + noiseOne) * (window.other + noiseOther));
      plain[width * y + x] = (common + window.both) / scale;
      inverted[width * y + x] = (common - window.both) / scale;
    }
  }
  return [plain, inverted];
}

function overlapIn(correlation: Float64Array, { width, height, covered }: CommonGrid): Overlap {
  let agreeing = 0;
  let left = width;
  let right = 0;
  let top = height;
  let bottom = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = correlation[width * y + x];
      if (Number.isNaN(value)) continue;
      if (value >= AGREES) agreeing++;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  let cells = 0;
  let close = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const value = correlation[width * y + x];
      if (Number.isNaN(value) || !isInner(x, left, right) || !isInner(y, top, bottom)) continue;
      cells++;
      if (value >= CLOSELY) close++;
    }
  }
  return {
    agreeing: agreeing / covered,
    apart: agreeing < covered ? largestApart(correlation, width) / covered : 0,
    inside: cells > 0 ? close / cells : agreeing / covered,
  };
}

function isInner(at: number, from: number, to: number): boolean {
  const share = (at + 0.5 - from) / (to - from);
  return share >= OUTSIDE && share <= 1 - OUTSIDE;
}

/** The number of cells in the largest area that does not agree; cells are connected by their sides. */
function largestApart(correlation: Float64Array, width: number): number {
  const apart = Uint8Array.from(correlation, (value) => Number(value < AGREES));
  let most = 0;
  for (let start = 0; start < apart.length; start++) {
    if (apart[start] === 0) continue;
    const open = [start];
    apart[start] = 0;
    let count = 0;
    for (let i = open.pop(); i !== undefined; i = open.pop()) {
      count++;
      const x = i % width;
      const beside = [i - width, i + width, x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1];
      for (const next of beside) {
        if (apart[next] !== 1) continue;
        apart[next] = 0;
        open.push(next);
      }
    }
    most = Math.max(most, count);
  }
  return most;
}
