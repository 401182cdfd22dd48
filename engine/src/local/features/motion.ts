import type { Point, Size } from '../../geometry/frame.ts';
import { cosines } from '../../geometry/angle.ts';
import type { Workspace } from '../../kernels/workspace.ts';

/** Side of the blocks that a picture is taken apart into; the kernel transforms blocks of this size. */
const BLOCK_SIDE_PIXELS = 128;
/** Cells of a block. */
const BLOCK_CELLS = BLOCK_SIDE_PIXELS * BLOCK_SIDE_PIXELS;
/** Shortest and longest motion, in pixels: a shorter one harms little, a longer one leaves too little. */
const MOTION_PIXELS = { min: 8, max: 40 };
/**
 * How far the lowest place of a cepstrum lies below the mean, in standard deviations: of the two blocks in the middle, which
 * are looked at first, and of all. See docs/experiments/2026-11-22-motion.md.
 */
const MIN_DEPTH_DEVIATIONS = { firstBlocks: 5, allBlocks: 8 };
/** Pairs of blocks that are enough. */
const MAX_BLOCK_PAIRS = 4;
/** Power of a frequency below which it is nothing but noise. */
const NOISE_POWER = 1;

/** Rises from 0 to 1 in the middle of a block, and falls back to 0. */
const HANN_WINDOW = Float64Array.from({ length: BLOCK_SIDE_PIXELS }, (_, i) => 0.5 - 0.5 * cosines[2 * i + 1]);

/** A picture with its plane of floats in the workspace. */
interface Plane extends Size {
  readonly plane: number;
}

/**
 * How far the camera moved along a line while it took a picture, in pixels; undefined where it did not, or by a curve.
 * A motion takes out frequencies at even distances, so that the cepstrum is low at one place, that of the motion.
 *
 * R. Rom, "On the cepstrum of two-dimensional functions", IEEE Transactions on Information Theory 21(2), 1975.
 */
export function motionOf(level: Plane, workspace: Workspace): Point | undefined {
  if (Math.min(level.width, level.height) < BLOCK_SIDE_PIXELS) return undefined;
  const blocks = blocksOf(level);
  const first = lowest(cepstrumOf(level, blocks.slice(0, 1), workspace));
  if (first.depth < MIN_DEPTH_DEVIATIONS.firstBlocks) return undefined;
  const { depth, place } = lowest(cepstrumOf(level, blocks.slice(0, MAX_BLOCK_PAIRS), workspace));
  return depth < MIN_DEPTH_DEVIATIONS.allBlocks ? undefined : place;
}

/** Pairs of upper left corners of blocks, those in the middle first: as many as lie side by side, evenly over the picture. */
function blocksOf({ width, height }: Size): [Point, Point][] {
  const starts = (side: number): number[] => {
    const count = Math.floor(side / BLOCK_SIDE_PIXELS);
    return Array.from({ length: count }, (_, i) =>
      Math.floor((side - BLOCK_SIDE_PIXELS) * (count === 1 ? 0.5 : i / (count - 1))),
    );
  };
  const aside = ([x, y]: Point): number =>
    Math.abs(2 * x + BLOCK_SIDE_PIXELS - width) + Math.abs(2 * y + BLOCK_SIDE_PIXELS - height);
  const all = starts(height).flatMap((y) => starts(width).map((x): Point => [x, y]));
  all.sort((a, b) => aside(a) - aside(b));
  return all.flatMap((block, i) => (i % 2 === 0 ? [[block, all[i + 1] ?? block]] : []));
}

/** The transform of the mean logarithm of the power of each frequency, up to a factor; a view that the next call overwrites. */
function cepstrumOf(
  { plane, width, height }: Plane,
  blocks: readonly (readonly [Point, Point])[],
  workspace: Workspace,
): Float32Array {
  const mark = workspace.mark();
  const table = workspace.put(cosines);
  const [re, im] = [workspace.take(4 * BLOCK_CELLS), workspace.take(4 * BLOCK_CELLS)];
  const powers = new Float32Array(BLOCK_CELLS);
  const logarithms = new Float32Array(BLOCK_CELLS);
  const source = workspace.floats(plane, width * height);
  // two blocks are one complex number
  const [a, b] = [workspace.floats(re, BLOCK_CELLS), workspace.floats(im, BLOCK_CELLS)];
  for (const [one, other] of blocks) {
    windowed(source, width, one, a);
    windowed(source, width, other, b);
    workspace.kernels.fourier(re, im, table);
    for (let i = 0; i < BLOCK_CELLS; i++) powers[i] = a[i] * a[i] + b[i] * b[i];
    addLogarithms(powers, logarithms);
  }
  a.set(logarithms);
  b.fill(0);
  workspace.kernels.fourier(re, im, table);
  workspace.release(mark);
  return a;
}

function windowed(source: Float32Array, width: number, [left, top]: Point, out: Float32Array): void {
  let sum = 0;
  for (let y = 0; y < BLOCK_SIDE_PIXELS; y++)
    for (let x = 0; x < BLOCK_SIDE_PIXELS; x++) sum += source[width * (top + y) + left + x];
  const mean = sum / BLOCK_CELLS;
  for (let y = 0; y < BLOCK_SIDE_PIXELS; y++)
    for (let x = 0; x < BLOCK_SIDE_PIXELS; x++)
      out[BLOCK_SIDE_PIXELS * y + x] = HANN_WINDOW[y] * HANN_WINDOW[x] * (source[width * (top + y) + left + x] - mean);
}

/**
 * Adds the logarithm of the power of each frequency of two blocks. The bits of a float are nearly its logarithm, and the
 * same on every machine.
 */
function addLogarithms(powers: Float32Array, sums: Float32Array): void {
  const both = new Float32Array(BLOCK_CELLS);
  for (let y = 0; y < BLOCK_SIDE_PIXELS; y++)
    for (let x = 0; x < BLOCK_SIDE_PIXELS; x++) {
      const opposite = BLOCK_SIDE_PIXELS * (-y & (BLOCK_SIDE_PIXELS - 1)) + (-x & (BLOCK_SIDE_PIXELS - 1));
      both[BLOCK_SIDE_PIXELS * y + x] = (powers[BLOCK_SIDE_PIXELS * y + x] + powers[opposite]) / 2 + NOISE_POWER;
    }
  const bits = new Uint32Array(both.buffer);
  for (let i = 0; i < BLOCK_CELLS; i++) sums[i] += bits[i] / (1 << 23);
}

/** The lowest place of a cepstrum, and how far it lies below the mean, in standard deviations. */
function lowest(cepstrum: Float32Array): { readonly depth: number; readonly place: Point } {
  const at = (x: number, y: number): number =>
    cepstrum[BLOCK_SIDE_PIXELS * (y & (BLOCK_SIDE_PIXELS - 1)) + (x & (BLOCK_SIDE_PIXELS - 1))];
  let [count, sum, squares, least] = [0, 0, 0, Infinity];
  let [left, top] = [0, 0];
  // its other half is the same
  for (let y = 0; y <= MOTION_PIXELS.max; y++)
    for (let x = y === 0 ? MOTION_PIXELS.min : -MOTION_PIXELS.max; x <= MOTION_PIXELS.max; x++) {
      const square = x * x + y * y;
      if (square < MOTION_PIXELS.min * MOTION_PIXELS.min || square > MOTION_PIXELS.max * MOTION_PIXELS.max) continue;
      const value = at(x, y);
      count++;
      sum += value;
      squares += value * value;
      if (value < least) [least, left, top] = [value, x, y];
    }
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  let [weights, dx, dy] = [0, 0, 0];
  for (let y = top - 1; y <= top + 1; y++)
    for (let x = left - 1; x <= left + 1; x++) {
      const weight = Math.max(0, mean - at(x, y));
      weights += weight;
      dx += weight * x;
      dy += weight * y;
    }
  return { depth: deviation > 0 ? (mean - least) / deviation : 0, place: [dx / weights, dy / weights] };
}
