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
 * @param scratch  2 * w * h + 5120 floats
 */
export function pdq(rgb: usize, w: i32, h: i32, cosines: usize, out: usize, scratch: usize): i32 {
  const plane = scratch;
  const other = plane + ((<usize>(w * h)) << 2);
  const samples = other + ((<usize>(w * h)) << 2);
  const half = samples + 4 * SIDE * SIDE;
  for (let i = 0; i < w * h; i++) {
    const p = rgb + <usize>(3 * i);
    const luma = 0.299 * <f64>load<u8>(p) + 0.587 * <f64>load<u8>(p, 1) + 0.114 * <f64>load<u8>(p, 2);
    store<f32>(plane + ((<usize>i) << 2), <f32>luma);
  }
  for (let pass = 0; pass < 2; pass++) {
    for (let y = 0; y < h; y++) box(plane + ((<usize>(y * w)) << 2), other + ((<usize>(y * w)) << 2), w, 4);
    for (let x = 0; x < w; x++) box(other + ((<usize>x) << 2), plane + ((<usize>x) << 2), h, <usize>w << 2);
  }
  for (let y = 0; y < SIDE; y++) {
    const row = ((2 * y + 1) * h) / (2 * SIDE);
    for (let x = 0; x < SIDE; x++) {
      const from = row * w + ((2 * x + 1) * w) / (2 * SIDE);
      store<f32>(samples + ((<usize>(y * SIDE + x)) << 2), load<f32>(plane + ((<usize>from) << 2)));
    }
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

/** Means of a line of `n` floats over windows of n / 128, rounded up, cut at both ends; an even one reaches further on. */
function box(from: usize, to: usize, n: i32, stride: usize): void {
  const window = (n + 2 * SIDE - 1) / (2 * SIDE);
  const after = window / 2;
  const before = window - 1 - after;
  let sum: f64 = 0;
  for (let i = 0; i < min(after, n); i++) sum += <f64>load<f32>(from + <usize>i * stride);
  for (let i = 0; i < n; i++) {
    if (i + after < n) sum += <f64>load<f32>(from + <usize>(i + after) * stride);
    if (i > before) sum -= <f64>load<f32>(from + <usize>(i - before - 1) * stride);
    const count = min(i + after, n - 1) - max(i - before, 0) + 1;
    store<f32>(to + <usize>i * stride, <f32>(sum / <f64>count));
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
