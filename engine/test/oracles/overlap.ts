import type { Size } from '../../src/geometry/frame.ts';
import type { Homography } from '../../src/geometry/homography.ts';
import { compactPart } from '../../src/local/overlap/compact-part.ts';
import { SMALL_OVERLAP_SHARE, type Overlap, type Side } from '../../src/local/overlap/overlap.ts';
import { type CommonGrid, onCommonGrid } from './common-grid.ts';
import { hasTexture, hasTextureInBoth } from './texture.ts';
import { toneOf } from './tone.ts';
import { WindowMoments } from './window-moments.ts';

/** Cells along the side of the window whose patterns are compared: 2 * WINDOW_RADIUS_CELLS + 1. */
const WINDOW_RADIUS_CELLS = 2;
/** Least correlation of two windows that agree, that agree closely, and that are nearly equal. */
const MIN_CORRELATION = { agreeing: 0.5, close: 0.7, equal: 0.9 };
/** Added to the variance of a window as noise that both have in common: a share of the variance of all, and a square of cell values. */
const WINDOW_NOISE = { varianceShare: 0.02, rounding: 0.1 };
/** Fewer cells than this show too little, and fewer cells with texture decide nothing. */
const MIN_CELLS = { all: 20, textured: 12 };
/** Width of what is not inside, as a share of the overlap's width and height. */
const OUTER_SHARE = 0.2;

/** Twin of what the kernels commonGrid, correlations, tone and agreement compute together. */
export function overlapOf(reference: Side, query: Side, homography: Homography): Overlap | undefined {
  const pair = onCommonGrid(reference, reference.miniature, query, query.miniature, homography);
  if (!pair || pair.covered < MIN_CELLS.all) return undefined;
  const [plain, negative] = correlations(pair);
  const inverted = agreeingIn(plain) < pair.covered && agreeingIn(negative) > agreeingIn(plain);
  return overlapIn(inverted ? negative : plain, pair, inverted);
}

/** Of the window around each cell, as the pictures are and with one of them inverted; NaN beside the overlap. */
function correlations({ width, height, one, other }: CommonGrid): [Float64Array, Float64Array] {
  const moments = new WindowMoments(one, other, width, height);
  const all = moments.within(0, 0, width, height);
  const noiseOne = WINDOW_NOISE.varianceShare * all.one + WINDOW_NOISE.rounding;
  const noiseOther = WINDOW_NOISE.varianceShare * all.other + WINDOW_NOISE.rounding;
  const common = Math.sqrt(noiseOne * noiseOther);
  const plain = new Float64Array(one.length).fill(NaN);
  const inverted = plain.slice();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (Number.isNaN(other[width * y + x])) continue;
      const window = moments.within(
        x - WINDOW_RADIUS_CELLS,
        y - WINDOW_RADIUS_CELLS,
        x + WINDOW_RADIUS_CELLS + 1,
        y + WINDOW_RADIUS_CELLS + 1,
      );
      const scale = Math.sqrt((window.one + noiseOne) * (window.other + noiseOther));
      plain[width * y + x] = (common + window.both) / scale;
      inverted[width * y + x] = (common - window.both) / scale;
    }
  }
  return [plain, inverted];
}

function agreeingIn(correlation: Float64Array): number {
  return correlation.reduce((count, value) => (value >= MIN_CORRELATION.agreeing ? count + 1 : count), 0);
}

/** Counts cells, and those of them for which something holds. */
class Tally {
  all = 0;
  true = 0;

  add(holds: boolean): void {
    this.all++;
    if (holds) this.true++;
  }

  get share(): number {
    return this.true / this.all;
  }
}

function overlapIn(correlation: Float64Array, pair: CommonGrid, inverted: boolean): Overlap {
  const { width, height, covered, one, other, ofReference } = pair;
  const bounds = boundsOf(correlation, pair);
  const tone = toneOf(pair, inverted);
  const [closely, equal] = [new Tally(), new Tally()];
  const [toned, textured, texturedInside] = [new Tally(), new Tally(), new Tally()];
  for (let y = bounds.top; y < bounds.bottom; y++) {
    for (let x = bounds.left; x < bounds.right; x++) {
      const at = width * y + x;
      const value = correlation[at];
      if (Number.isNaN(value)) continue;
      const inside = isInner(x, bounds.left, bounds.right) && isInner(y, bounds.top, bounds.bottom);
      if (inside) closely.add(value >= MIN_CORRELATION.close);
      const follows = Math.abs(other[at] - tone.slope * one[at] - tone.offset) <= tone.tolerance;
      toned.add(follows);
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) continue;
      if (value >= MIN_CORRELATION.agreeing && hasTexture(pair, at)) equal.add(value >= MIN_CORRELATION.equal);
      if (!hasTextureInBoth(pair, at, tone)) continue;
      textured.add(follows);
      if (inside) texturedInside.add(follows);
    }
  }
  const [ofTextured = toned] = [textured].filter(({ all }) => all >= MIN_CELLS.textured);
  const [ofInner = ofTextured] = [texturedInside].filter(({ all }) => all >= MIN_CELLS.textured);
  const agreeing = agreeingIn(correlation);
  return {
    agreeing: agreeing / covered,
    apart: agreeing < covered ? largestApart(correlation, width) / covered : 0,
    inside: closely.all > 0 ? closely.share : agreeing / covered,
    equal: equal.all >= MIN_CELLS.textured ? equal.share : undefined,
    toned: ofTextured.share,
    tonedInside: ofInner.share,
    cells: covered,
    covered: covered / (width * height),
    compact:
      covered <= SMALL_OVERLAP_SHARE * width * height
        ? compactPart({ width, height, one, other, correlation, tone }) / covered
        : 0,
    bounds: {
      ofReference,
      left: bounds.left / width,
      top: bounds.top / height,
      right: bounds.right / width,
      bottom: bounds.bottom / height,
    },
  };
}

/** The box around the cells of the overlap. */
function boundsOf(correlation: Float64Array, { width, height }: Size) {
  const box = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (Number.isNaN(correlation[width * y + x])) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x + 1);
      box.top = Math.min(box.top, y);
      box.bottom = y + 1;
    }
  }
  return box;
}

function isInner(at: number, from: number, to: number): boolean {
  const share = (at + 0.5 - from) / (to - from);
  return share >= OUTER_SHARE && share <= 1 - OUTER_SHARE;
}

/** The number of cells in the largest area that does not agree; cells are connected by their sides. */
function largestApart(correlation: Float64Array, width: number): number {
  const apart = Uint8Array.from(correlation, (value) => Number(value < MIN_CORRELATION.agreeing));
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
