import { SIDE } from './grid.ts';

const CELLS = 8;
const DIRECTIONS = 8;
/** Numbers that `gradients` gives. */
export const GRADIENTS = CELLS * CELLS * DIRECTIONS;

/** Cosines and sines of k · 22.5 degrees; the ninth is the first turned around. */
const COS = [1, 0.9238795325112867, 0.7071067811865476, 0.3826834323650898, 0];
const cosine = (k: number): number => (k <= 4 ? COS[k] : -COS[8 - k]);
const sine = (k: number): number => COS[k <= 4 ? 4 - k : k - 4];
const RISE = sine(1);

/**
 * Where a picture has edges and which way they run: the gradients of the luma in 8 x 8 cells and 8 directions without
 * sense, each pixel shared between neighbouring cells and split between the two nearest directions; square-rooted, to
 * length 1. A flat picture gives zeros.
 *
 * After N. Dalal, B. Triggs, "Histograms of oriented gradients for human detection", CVPR 2005; the square root as in
 * R. Arandjelović, A. Zisserman, "Three things everyone should know to improve object retrieval", CVPR 2012.
 *
 * @returns [row][column][direction]
 */
export function gradients([red, green, blue]: readonly Float32Array[]): Float64Array {
  const luma = red.map((r, i) => (77 * r + 150 * green[i] + 29 * blue[i]) / 256);
  const sums = new Float64Array(GRADIENTS);
  for (let y = 1; y < SIDE - 1; y++) {
    for (let x = 1; x < SIDE - 1; x++) {
      const at = y * SIDE + x;
      let dx = luma[at + 1] - luma[at - 1];
      let dy = luma[at + SIDE] - luma[at - SIDE];
      if (dy < 0 || (dy === 0 && dx < 0)) [dx, dy] = [-dx, -dy];
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
