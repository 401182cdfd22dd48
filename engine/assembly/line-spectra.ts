import { columns } from './fourier';

/** Pixels of a line that one transform takes, and lines that are passed over between two. */
const WINDOW = 64;
const LINE_STRIDE = 4;
const BANDS = 32;
/** Complex columns of one transform; each takes two lines. */
const BATCH_COLUMNS = 128;
const PLANE_BYTES: usize = 4 * WINDOW * BATCH_COLUMNS;
let batch: usize = 0;
let lines: i32 = 0;

/**
 * Adds up the power of lines of 64 pixels across and down, every fourth line, less their mean and under a window of Hann.
 *
 * @param cosines  of i/256 of a circle, 256 float64
 * @param power    32 float64: the sums for each band from no frequency to half a cycle a pixel
 * @param scratch  2 × 64 × 128 floats
 * @returns how many lines there were
 */
export function lineSpectra(src: usize, w: i32, h: i32, cosines: usize, power: usize, scratch: usize): i32 {
  const pitch = (<usize>w) << 2;
  batch = scratch;
  lines = 0;
  memory.fill(power, 0, 8 * BANDS);
  for (let y = 0; y < h; y += LINE_STRIDE) {
    for (let x = 0; x + WINDOW <= w; x += WINDOW) add(src + <usize>y * pitch + ((<usize>x) << 2), 4, cosines, power);
  }
  for (let x = 0; x < w; x += LINE_STRIDE) {
    for (let y = 0; y + WINDOW <= h; y += WINDOW) add(src + <usize>y * pitch + ((<usize>x) << 2), pitch, cosines, power);
  }
  if (lines % (2 * BATCH_COLUMNS) != 0) transformBatch(cosines, power);
  return lines;
}

/** Puts a line into the next half of a column of the batch. */
function add(start: usize, stride: usize, cosines: usize, power: usize): void {
  const place = lines % (2 * BATCH_COLUMNS);
  if (place == 0) memory.fill(batch, 0, 2 * PLANE_BYTES);
  const to = batch + PLANE_BYTES * <usize>(place & 1) + ((<usize>(place >> 1)) << 2);
  let sum: f32 = 0;
  for (let i: usize = 0; i < <usize>WINDOW; i++) sum += load<f32>(start + i * stride);
  const mean: f32 = sum / <f32>WINDOW;
  for (let i: usize = 0; i < <usize>WINDOW; i++) {
    const hann: f32 = <f32>(0.5 - 0.5 * load<f64>(cosines + i * (8 * (256 / WINDOW))));
    store<f32>(to + i * (4 * BATCH_COLUMNS), (load<f32>(start + i * stride) - mean) * hann);
  }
  lines++;
  if (place == 2 * BATCH_COLUMNS - 1) transformBatch(cosines, power);
}

/** Adds the power of the batch, whose columns each hold one line as real and another as imaginary numbers. */
function transformBatch(cosines: usize, power: usize): void {
  columns(batch, batch + PLANE_BYTES, WINDOW, cosines);
  for (let band = 0; band < BANDS; band++) {
    const sum: f64 = powerOf(band) + powerOf((WINDOW - band) % WINDOW);
    const to = power + ((<usize>band) << 3);
    store<f64>(to, load<f64>(to) + sum / 2);
  }
}

function powerOf(row: i32): f64 {
  const from = batch + <usize>row * (4 * BATCH_COLUMNS);
  let sums = f32x4.splat(0);
  for (let x: usize = 0; x < 4 * BATCH_COLUMNS; x += 16) {
    const re = v128.load(from + x);
    const im = v128.load(from + PLANE_BYTES + x);
    sums = f32x4.add(sums, f32x4.add(f32x4.mul(re, re), f32x4.mul(im, im)));
  }
  return (
    <f64>f32x4.extract_lane(sums, 0) + <f64>f32x4.extract_lane(sums, 1) +
    (<f64>f32x4.extract_lane(sums, 2) + <f64>f32x4.extract_lane(sums, 3))
  );
}
