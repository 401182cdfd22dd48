import { SIDE } from './grid.ts';
import type { Lab } from './oklab.ts';

const CELLS = 6;
const DIRECTIONS = 8;
/** Numbers that `gradients` gives. */
export const GRADIENTS = CELLS * CELLS * DIRECTIONS;

/** How much a step of a or b counts beside one of L. */
const TINT = 3;

/** Cosines and sines of k · 22.5 degrees; the ninth is the first turned around. */
const COS = [1, 0.9238795325112867, 0.7071067811865476, 0.3826834323650898, 0];
const cosine = (k: number): number => (k <= 4 ? COS[k] : -COS[8 - k]);
const sine = (k: number): number => COS[k <= 4 ? 4 - k : k - 4];
const RISE = sine(1);

/**
 * Where a picture has edges and which way they run, between lights and between colours: the colour gradients of OKLab in
 * 6 x 6 cells and 8 directions without sense, each pixel shared between neighbouring cells and split between the two
 * nearest directions; square-rooted, to length 1. A flat picture gives zeros.
 *
 * After N. Dalal, B. Triggs, "Histograms of oriented gradients for human detection", CVPR 2005; the gradient of three
 * channels as in S. Di Zenzo, "A note on the gradient of a multi-image", CVGIP 33, 1986; the square root as in
 * R. Arandjelović, A. Zisserman, "Three things everyone should know to improve object retrieval", CVPR 2012.
 *
 * @param pixels  SIDE x SIDE
 * @returns [row][column][direction]
 */
export function gradients(pixels: readonly Lab[]): Float64Array {
  const channels = [0, 1, 2].map((k) => smooth(Float64Array.from(pixels, (lab) => (k ? TINT : 1) * lab[k])));
  const sums = new Float64Array(GRADIENTS);
  for (let y = 1; y < SIDE - 1; y++) {
    for (let x = 1; x < SIDE - 1; x++) {
      const [dx, dy] = steepest(channels, y * SIDE + x);
      let k = 0;
      while (k < DIRECTIONS - 1 && cosine(k + 1) * dy - sine(k + 1) * dx >= 0) k++;
      // dx, dy as a sum of the directions k and k + 1
      const next = (cosine(k) * dy - sine(k) * dx) / RISE;
      const own = (sine(k + 1) * dx - cosine(k + 1) * dy) / RISE;
      share(sums, x, y, k, own);
      share(sums, x, y, (k + 1) % DIRECTIONS, next);
    }
  }
  const rooted = sums.map((sum) => Math.sqrt(Math.max(0, sum)));
  const length = Math.sqrt(rooted.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? rooted.map((value) => value / length) : rooted;
}

/** The direction in which the channels together change most, as long as they do, in the upper half plane. */
function steepest(channels: readonly Float64Array[], at: number): [dx: number, dy: number] {
  let [xx, xy, yy] = [0, 0, 0];
  for (const channel of channels) {
    const dx = channel[at + 1] - channel[at - 1];
    const dy = channel[at + SIDE] - channel[at - SIDE];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const spread = Math.sqrt((xx - yy) * (xx - yy) + 4 * xy * xy);
  const length = Math.sqrt((xx + yy + spread) / 2);
  const cosineOfTwice = spread > 0 ? (xx - yy) / spread : 1;
  const dx = length * Math.sqrt(Math.max(0, (1 + cosineOfTwice) / 2));
  const dy = length * Math.sqrt(Math.max(0, (1 - cosineOfTwice) / 2));
  return [xy < 0 ? -dx : dx, dy];
}

/** Weights 1, 2, 1 over 4 in both directions; the pixels of the rim are repeated outside. */
function smooth(plane: Float64Array): Float64Array {
  const along = (from: Float64Array, step: number, placeOf: (at: number) => number): Float64Array =>
    from.map((value, at) => {
      const place = placeOf(at);
      const before = place > 0 ? from[at - step] : value;
      const after = place < SIDE - 1 ? from[at + step] : value;
      return (before + 2 * value + after) / 4;
    });
  const rows = along(plane, 1, (at) => at % SIDE);
  return along(rows, SIDE, (at) => Math.floor(at / SIDE));
}

/** Bilinear between the four nearest cells; what falls outside is lost. */
function share(sums: Float64Array, x: number, y: number, direction: number, amount: number): void {
  const [u, v] = [((x + 0.5) * CELLS) / SIDE - 0.5, ((y + 0.5) * CELLS) / SIDE - 0.5];
  const [column, row] = [Math.floor(u), Math.floor(v)];
  for (let j = 0; j < 2; j++) {
    for (let i = 0; i < 2; i++) {
      const [cx, cy] = [column + i, row + j];
      if (cx < 0 || cy < 0 || cx >= CELLS || cy >= CELLS) continue;
      const weight = (i ? u - column : 1 - u + column) * (j ? v - row : 1 - v + row);
      sums[(cy * CELLS + cx) * DIRECTIONS + direction] += weight * amount;
    }
  }
}
