import { means } from '../pixels/neighbourhood.ts';
import type { Planes } from '../pixels/planes.ts';
import type { Warped } from './warp.ts';

/** Radius of the squares, and their distance, in pixels of the pictures. */
const WINDOW_RADIUS_PIXELS = 4;
/** Squared grey levels a pixel that noise and compression leave. */
const NOISE_VARIANCE = 40;
/** Share of the contrast in a square that they leave on top … */
const NOISE_CONTRAST_SHARE = 0.1;
/** … and how much more than most squares of the picture must be left, for a blurred copy leaves something everywhere. */
const USUAL_RESIDUE = { quantile: 0.8, factor: 2 };
/** Least variance of a square that serves as a measure for the others. */
const MIN_TEXTURE_VARIANCE = 100;
/** What explains a difference: motion across and down, softening, contrast, brightness. */
const REGRESSORS = 5;
/** Variance of each cause that is never believed, so that plain squares explain nothing. */
const RIDGE_VARIANCE = 4;

/**
 * Where the pictures differ by more than a motion of less than a pixel, softening and light explain: small squares, each
 * fitted by least squares. Finds thin strokes that changed beside others, which tolerance of a pixel swallows.
 *
 * @param enlarged  how many of these pixels a pixel of the pictures is wide
 * @returns         grey levels by which each pixel differs in such squares, 0 elsewhere
 */
export function residue(reference: Planes, warped: Warped, enlarged: number): Float32Array {
  const { width, height } = reference;
  const one = means(reference.channels[0], width, height, Math.round(enlarged));
  const other = means(warped.channels[0], width, height, Math.round(enlarged));
  const [mean, off, out] = [0, 1, 2].map(() => new Float32Array(one.length));
  for (let i = 0; i < one.length; i++) {
    mean[i] = (one[i] + other[i]) / 2;
    off[i] = warped.compared[i] > 0 ? one[i] - other[i] : 0;
  }
  const radius = Math.round(WINDOW_RADIUS_PIXELS * enlarged);
  const squares: Square[] = [];
  const shares: number[] = [];
  for (let y = radius + 1; y < height - radius - 1; y += radius) {
    for (let x = radius + 1; x < width - radius - 1; x += radius) {
      const { left, contrast } = fitted(mean, off, width, x, y, radius);
      if (contrast >= MIN_TEXTURE_VARIANCE) shares.push(left / contrast);
      if (left > NOISE_VARIANCE + NOISE_CONTRAST_SHARE * contrast) squares.push({ x, y, left, contrast });
    }
  }
  if (squares.length === 0) return out;
  shares.sort((a, b) => a - b);
  const usual = shares.length > 0 ? shares[Math.floor(USUAL_RESIDUE.quantile * shares.length)] : 0;
  const share = Math.max(NOISE_CONTRAST_SHARE, USUAL_RESIDUE.factor * usual);
  for (const { x, y, left, contrast } of squares) {
    if (left <= NOISE_VARIANCE + share * contrast) continue;
    for (let v = y - radius; v <= y + radius; v++) {
      for (let i = v * width + x - radius; i <= v * width + x + radius; i++) out[i] = Math.abs(off[i]);
    }
  }
  return out;
}

interface Square {
  readonly x: number;
  readonly y: number;
  /** Mean square of the difference that the causes leave. */
  readonly left: number;
  /** Variance of what the pictures show. */
  readonly contrast: number;
}

const slopes = new Float64Array(REGRESSORS);
const normal = new Float64Array(REGRESSORS * REGRESSORS);
const right = new Float64Array(REGRESSORS);

function fitted(
  mean: Float32Array,
  off: Float32Array,
  width: number,
  x: number,
  y: number,
  radius: number,
): { left: number; contrast: number } {
  const pixels = (2 * radius + 1) * (2 * radius + 1);
  let [sum, squares, energy] = [0, 0, 0];
  for (let v = y - radius; v <= y + radius; v++) {
    for (let i = v * width + x - radius; i <= v * width + x + radius; i++) {
      sum += mean[i];
      squares += mean[i] * mean[i];
      energy += off[i] * off[i];
    }
  }
  const level = sum / pixels;
  const contrast = squares / pixels - level * level;
  if (energy <= pixels * NOISE_VARIANCE) return { left: energy / pixels, contrast };
  normal.fill(0);
  right.fill(0);
  for (let v = y - radius; v <= y + radius; v++) {
    for (let i = v * width + x - radius; i <= v * width + x + radius; i++) {
      const [west, east, north, south] = [mean[i - 1], mean[i + 1], mean[i - width], mean[i + width]];
      slopes[0] = (east - west) / 2;
      slopes[1] = (south - north) / 2;
      slopes[2] = west + east + north + south - 4 * mean[i];
      slopes[3] = mean[i] - level;
      slopes[4] = 16; // plain places are about light, not structure
      for (let a = 0; a < REGRESSORS; a++) {
        for (let b = a; b < REGRESSORS; b++) normal[REGRESSORS * a + b] += slopes[a] * slopes[b];
        right[a] += slopes[a] * off[i];
      }
    }
  }
  return { left: (energy - explained(pixels)) / pixels, contrast };
}

/** How much of the energy the causes explain: the normal equations by Gauss's elimination, which the upper half is enough for. */
function explained(pixels: number): number {
  let sum = 0;
  for (let a = 0; a < REGRESSORS; a++) normal[(REGRESSORS + 1) * a] += RIDGE_VARIANCE * pixels;
  for (let a = 0; a < REGRESSORS; a++) {
    const pivot = normal[(REGRESSORS + 1) * a];
    sum += (right[a] * right[a]) / pivot;
    for (let b = a + 1; b < REGRESSORS; b++) {
      const factor = normal[REGRESSORS * a + b] / pivot;
      right[b] -= factor * right[a];
      for (let c = b; c < REGRESSORS; c++) normal[REGRESSORS * b + c] -= factor * normal[REGRESSORS * a + c];
    }
  }
  return sum;
}
