/** Directions without sense, 22.5 degrees apart. */
export const DIRECTION_COUNT = 8;

/** Cosines and sines of k · 22.5 degrees; the ninth is the first negated. */
const QUADRANT_COSINES = [1, 0.9238795325112867, 0.7071067811865476, 0.3826834323650898, 0];
const cosine = (k: number): number => (k <= 4 ? QUADRANT_COSINES[k] : -QUADRANT_COSINES[8 - k]);
const sine = (k: number): number => QUADRANT_COSINES[k <= 4 ? 4 - k : k - 4];
const DIRECTION_SINE = sine(1);

/**
 * Which way gradients run in which place of a square, each pixel shared between neighbouring cells and split between
 * the two nearest directions; square-rooted, to length 1. A flat square gives zeros.
 *
 * After N. Dalal, B. Triggs, "Histograms of oriented gradients for human detection", CVPR 2005; the square root as in
 * R. Arandjelović, A. Zisserman, "Three things everyone should know to improve object retrieval", CVPR 2012.
 *
 * @param side        pixels along a side; those of the rim are left out
 * @param cells       cells along a side
 * @param gradientAt  of a pixel in reading order, in the upper half plane
 * @returns [row][column][direction]
 */
export function directions(
  side: number,
  cells: number,
  gradientAt: (at: number) => readonly [dx: number, dy: number],
): Float64Array {
  const sums = new Float64Array(cells * cells * DIRECTION_COUNT);
  for (let y = 1; y < side - 1; y++) {
    for (let x = 1; x < side - 1; x++) {
      const [dx, dy] = gradientAt(y * side + x);
      let k = 0;
      while (k < DIRECTION_COUNT - 1 && cosine(k + 1) * dy - sine(k + 1) * dx >= 0) k++;
      // dx, dy as a sum of the directions k and k + 1
      const next = (cosine(k) * dy - sine(k) * dx) / DIRECTION_SINE;
      const own = (sine(k + 1) * dx - cosine(k + 1) * dy) / DIRECTION_SINE;
      const [u, v] = [((x + 0.5) * cells) / side - 0.5, ((y + 0.5) * cells) / side - 0.5];
      share(sums, cells, u, v, k, own);
      share(sums, cells, u, v, (k + 1) % DIRECTION_COUNT, next);
    }
  }
  const rooted = sums.map((sum) => Math.sqrt(Math.max(0, sum)));
  const length = Math.sqrt(rooted.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? rooted.map((value) => value / length) : rooted;
}

/** Bilinear between the four cells nearest to (u, v); what falls outside is lost. */
function share(sums: Float64Array, cells: number, u: number, v: number, direction: number, amount: number): void {
  const [column, row] = [Math.floor(u), Math.floor(v)];
  for (let j = 0; j < 2; j++) {
    for (let i = 0; i < 2; i++) {
      const [cx, cy] = [column + i, row + j];
      if (cx < 0 || cy < 0 || cx >= cells || cy >= cells) continue;
      const weight = (i ? u - column : 1 - u + column) * (j ? v - row : 1 - v + row);
      sums[(cy * cells + cx) * DIRECTION_COUNT + direction] += weight * amount;
    }
  }
}
