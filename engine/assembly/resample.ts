/**
 * Resamples a plane of floats with a triangle as wide as two pixels of the coarser grid: bilinear when enlarging,
 * anti-aliased when reducing. Pixel centres lie at (i + 0.5); beyond the border the triangle is cut and its weights
 * sum to 1 all the same.
 *
 * @param scratch  dw * h floats, then room for the taps of one axis: (max(dw, dh)) * (2 + taps) words, where
 *                 taps = 2 * ceil(max(w / dw, h / dh, 1)) + 1
 */
export function resample(src: usize, w: i32, h: i32, dst: usize, dw: i32, dh: i32, scratch: usize): void {
  const rows = scratch;
  const taps = scratch + ((<usize>(dw * h)) << 2);

  let stride = triangle(w, dw, taps);
  let y = 0;
  const below = (<usize>w) << 2;
  const under = (<usize>dw) << 2;
  for (; y + 4 <= h; y += 4) {
    // four lines at once, a lane each
    const line = src + <usize>y * below;
    const out = rows + <usize>y * under;
    for (let x = 0; x < dw; x++) {
      const tap = taps + <usize>(x * stride);
      const count = load<i32>(tap, 4);
      let from = line + ((<usize>load<i32>(tap)) << 2);
      let sum = f32x4.splat(0);
      for (let k = 0; k < count; k++) {
        let four = v128.load32_zero(from);
        four = v128.load32_lane(from + below, four, 1);
        four = v128.load32_lane(from + 2 * below, four, 2);
        four = v128.load32_lane(from + 3 * below, four, 3);
        sum = f32x4.add(sum, f32x4.mul(four, v128.load32_splat(tap + ((<usize>k) << 2), 8)));
        from += 4;
      }
      const to = out + ((<usize>x) << 2);
      v128.store32_lane(to, sum, 0);
      v128.store32_lane(to + under, sum, 1);
      v128.store32_lane(to + 2 * under, sum, 2);
      v128.store32_lane(to + 3 * under, sum, 3);
    }
  }
  for (; y < h; y++) {
    const line = src + ((<usize>(y * w)) << 2);
    const out = rows + ((<usize>(y * dw)) << 2);
    for (let x = 0; x < dw; x++) {
      const tap = taps + <usize>(x * stride);
      const count = load<i32>(tap, 4);
      const from = line + ((<usize>load<i32>(tap)) << 2);
      let sum: f32 = 0;
      for (let k = 0; k < count; k++) {
        const at = (<usize>k) << 2;
        sum += load<f32>(from + at) * load<f32>(tap + at, 8);
      }
      store<f32>(out + ((<usize>x) << 2), sum);
    }
  }

  stride = triangle(h, dh, taps);
  const pitch = (<usize>dw) << 2;
  for (let y = 0; y < dh; y++) {
    const tap = taps + <usize>(y * stride);
    const count = load<i32>(tap, 4);
    const from = rows + <usize>load<i32>(tap) * pitch;
    const out = dst + <usize>y * pitch;
    let x = 0;
    for (; x + 4 <= dw; x += 4) {
      const at = (<usize>x) << 2;
      let sum = f32x4.splat(0);
      for (let k = 0; k < count; k++) {
        const weight = f32x4.splat(load<f32>(tap + ((<usize>k) << 2), 8));
        sum = f32x4.add(sum, f32x4.mul(v128.load(from + at + <usize>k * pitch), weight));
      }
      v128.store(out + at, sum);
    }
    for (; x < dw; x++) {
      const at = (<usize>x) << 2;
      let sum: f32 = 0;
      for (let k = 0; k < count; k++)
        sum += load<f32>(from + at + <usize>k * pitch) * load<f32>(tap + ((<usize>k) << 2), 8);
      store<f32>(out + at, sum);
    }
  }
}

/** Writes for each of `to` pixels: first source index, number of taps, weights. Returns the bytes of one entry. */
function triangle(from: i32, to: i32, taps: usize): i32 {
  const step = <f64>from / <f64>to;
  const radius = step > 1 ? step : 1;
  const most = 2 * <i32>Math.ceil(radius) + 1;
  const stride = 8 + 4 * most;
  for (let i = 0; i < to; i++) {
    const centre = (<f64>i + 0.5) * step - 0.5;
    let first = <i32>Math.floor(centre - radius) + 1;
    if (first < 0) first = 0;
    const tap = taps + <usize>(i * stride);
    let count = 0;
    let total: f64 = 0;
    for (let j = first; j < from && count < most; j++) {
      const weight = 1 - Math.abs(<f64>j - centre) / radius;
      if (weight <= 0) break;
      store<f32>(tap + ((<usize>count) << 2), <f32>weight, 8);
      total += weight;
      count++;
    }
    for (let k = 0; k < count; k++) {
      const at = tap + ((<usize>k) << 2);
      store<f32>(at, <f32>(<f64>load<f32>(at, 8) / total), 8);
    }
    store<i32>(tap, first);
    store<i32>(tap, count, 4);
  }
  return stride;
}
