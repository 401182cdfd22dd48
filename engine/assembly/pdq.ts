const SIDE = 64;
const FREQUENCIES = 16;

/**
 * The coefficients of PDQ. Luma is averaged twice along rows and columns over windows of 1/128 of the side, sampled at the
 * centres of 64 × 64 cells, and transformed into the cosines of 1 to 16 half waves a side. Returns the quality, 0 to 100:
 * the sum of steps between neighbouring samples in whole percents, divided by 90.
 *
 * Facebook, "The TMK+PDQF video-hashing algorithm and the PDQ image-hashing algorithm", 2019.
 *
 * @param cosines  of i/256 of a circle, 256 float64
 * @param out      16 × 16 floats, a row per vertical frequency, 32 times those of the orthonormal transform
 * @param scratch  2 * wide * h + 2 * wide + 5120 floats, where `wide` is w made even, and at least 64
 */
export function pdq(rgb: usize, w: i32, h: i32, cosines: usize, out: usize, scratch: usize): i32 {
  const wide = max((w + 1) & ~1, SIDE);
  const plane = scratch;
  const other = plane + ((<usize>(wide * h)) << 2);
  const sums = other + ((<usize>(wide * h)) << 2);
  const samples = sums + ((<usize>wide) << 3);
  const half = samples + 4 * SIDE * SIDE;
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const p = rgb + <usize>(3 * (y * w + x));
      const luma = 0.299 * <f64>load<u8>(p) + 0.587 * <f64>load<u8>(p, 1) + 0.114 * <f64>load<u8>(p, 2);
      store<f32>(plane + ((<usize>(y * wide + x)) << 2), <f32>luma);
    }
  boxRows(plane, other, w, h, wide);
  boxColumns(other, plane, wide, h, sums);
  boxRows(plane, other, w, h, wide);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < SIDE; x++) {
      const from = y * wide + ((2 * x + 1) * w) / (2 * SIDE);
      store<f32>(plane + ((<usize>(y * SIDE + x)) << 2), load<f32>(other + ((<usize>from) << 2)));
    }
  boxColumns(plane, other, SIDE, h, sums);
  for (let y = 0; y < SIDE; y++) {
    const row = ((2 * y + 1) * h) / (2 * SIDE);
    memory.copy(samples + ((<usize>(y * SIDE)) << 2), other + ((<usize>(row * SIDE)) << 2), 4 * SIDE);
  }
  // the columns, then the rows
  for (let i = 0; i < FREQUENCIES; i++)
    for (let x = 0; x < SIDE; x++) {
      const to = half + ((<usize>(i * SIDE + x)) << 2);
      store<f32>(to, wave(samples + ((<usize>x) << 2), 4 * SIDE, i, cosines));
    }
  for (let i = 0; i < FREQUENCIES; i++)
    for (let j = 0; j < FREQUENCIES; j++) {
      const to = out + ((<usize>(i * FREQUENCIES + j)) << 2);
      store<f32>(to, wave(half + ((<usize>(i * SIDE)) << 2), 4, j, cosines));
    }
  return quality(samples);
}

/** Pixels before and behind one that are in its window of n / 128 of a line, rounded up; an even one reaches further on. */
function reachBefore(n: i32): i32 {
  return (n + 2 * SIDE - 1) / (2 * SIDE) - 1 - reachBehind(n);
}

function reachBehind(n: i32): i32 {
  return (n + 2 * SIDE - 1) / (2 * SIDE) / 2;
}

/** Means along each row over its windows, cut at both ends. Two rows at a time, since each sum waits for the one before. */
function boxRows(from: usize, to: usize, w: i32, h: i32, stride: i32): void {
  const before = reachBefore(w);
  const behind = reachBehind(w);
  for (let y = 0; y < h; y += 2) {
    const next = y + 1 < h ? (<usize>stride) << 2 : 0;
    const row = from + ((<usize>(y * stride)) << 2);
    let out = to + ((<usize>(y * stride)) << 2);
    let sum = f64x2.splat(0);
    for (let i = 0; i < min(behind, w); i++) sum = f64x2.add(sum, pair(row + ((<usize>i) << 2), next));
    for (let i = 0; i < w; i++) {
      if (i + behind < w) sum = f64x2.add(sum, pair(row + ((<usize>(i + behind)) << 2), next));
      if (i > before) sum = f64x2.sub(sum, pair(row + ((<usize>(i - before - 1)) << 2), next));
      const count = f64x2.splat(<f64>(min(i + behind, w - 1) - max(i - before, 0) + 1));
      const means = f32x4.demote_f64x2_zero(f64x2.div(sum, count));
      v128.store32_lane(out, means, 0);
      v128.store32_lane(out + next, means, 1);
      out += 4;
    }
  }
}

/** A float, and the one `next` bytes behind it. */
function pair(at: usize, next: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load32_lane(at + next, v128.load32_zero(at), 1));
}

/** The same along columns, all of them side by side. @param w  even  @param sums  w float64 */
function boxColumns(from: usize, to: usize, w: i32, h: i32, sums: usize): void {
  const before = reachBefore(h);
  const behind = reachBehind(h);
  const stride = (<usize>w) << 2;
  memory.fill(sums, 0, (<usize>w) << 3);
  for (let i = 0; i < min(behind, h); i++) addRow(sums, from + <usize>i * stride, w, 1);
  for (let i = 0; i < h; i++) {
    if (i + behind < h) addRow(sums, from + <usize>(i + behind) * stride, w, 1);
    if (i > before) addRow(sums, from + <usize>(i - before - 1) * stride, w, -1);
    const count = f64x2.splat(<f64>(min(i + behind, h - 1) - max(i - before, 0) + 1));
    const out = to + <usize>i * stride;
    for (let x = 0; x < w; x += 2) {
      const means = f64x2.div(v128.load(sums + ((<usize>x) << 3)), count);
      v128.store64_lane(out + ((<usize>x) << 2), f32x4.demote_f64x2_zero(means), 0);
    }
  }
}

/** @param sign  1, or -1 to subtract */
function addRow(sums: usize, row: usize, w: i32, sign: f64): void {
  const factor = f64x2.splat(sign);
  for (let x = 0; x < w; x += 2) {
    const at = sums + ((<usize>x) << 3);
    const values = f64x2.promote_low_f32x4(v128.load64_zero(row + ((<usize>x) << 2)));
    v128.store(at, f64x2.add(v128.load(at), f64x2.mul(values, factor)));
  }
}

function wave(from: usize, stride: usize, frequency: i32, cosines: usize): f32 {
  let sum: f64 = 0;
  for (let k = 0; k < SIDE; k++) {
    const angle = ((frequency + 1) * (2 * k + 1)) & 255;
    sum += <f64>load<f32>(from + <usize>k * stride) * load<f64>(cosines + ((<usize>angle) << 3));
  }
  return <f32>sum;
}

function quality(samples: usize): i32 {
  let steps = 0;
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const at = samples + ((<usize>(y * SIDE + x)) << 2);
      if (x + 1 < SIDE) steps += step(at, at + 4);
      if (y + 1 < SIDE) steps += step(at, at + 4 * SIDE);
    }
  return min(steps / 90, 100);
}

function step(one: usize, two: usize): i32 {
  return abs(<i32>(((load<f32>(one) - load<f32>(two)) * 100) / 255));
}
