/**
 * Resamples a plane of floats with a triangle as wide as two pixels of the coarser grid: bilinear when enlarging,
 * anti-aliased when reducing. Pixel centres lie at (i + 0.5); beyond the border the triangle is cut and its weights
 * sum to 1 all the same.
 *
 * @param scratch  dw * h floats, then 4 * (w + taps) floats, then room for the taps of one axis:
 *                 (max(dw, dh)) * (2 + taps) words, where taps = 2 * ceil(max(w / dw, h / dh, 1)) + 1
 */
export function resample(src: usize, w: i32, h: i32, dst: usize, dw: i32, dh: i32, scratch: usize): void {
  const rows = scratch;
  const band = rows + ((<usize>(dw * h)) << 2);
  const taps = band + ((<usize>(w + mostTaps(max(<f64>w / <f64>dw, <f64>h / <f64>dh)))) << 4);
  along(src, w, h, rows, dw, band, taps);
  down(rows, dw, h, dst, dh, taps);
}

/** Resamples lines, four at once as far as there are four. */
function along(src: usize, w: i32, h: i32, out: usize, dw: i32, band: usize, taps: usize): void {
  const stride = <usize>triangle(w, dw, taps);
  const most = max<usize>(widest(taps, dw, stride), 12);
  const end = taps + <usize>dw * stride;
  const pitch = (<usize>w) << 2;
  const under = (<usize>dw) << 2;
  // what the weights of 0 behind a last tap are multiplied with
  memory.fill(band + (<usize>w << 4), 0, most << 2);
  let y = 0;
  for (; y + 4 <= h; y += 4) {
    transposed(src, pitch, w, band);
    src += 4 * pitch;
    let to = out;
    let tap = taps;
    for (; tap + 3 * stride < end; tap += 4 * stride) {
      const a = ofFour(tap, band, most);
      const b = ofFour(tap + stride, band, most);
      const c = ofFour(tap + 2 * stride, band, most);
      const d = ofFour(tap + 3 * stride, band, most);
      storeTransposed(a, b, c, d, to, under);
      to += 16;
    }
    for (; tap < end; tap += stride) {
      const sum = ofFour(tap, band, most);
      v128.store32_lane(to, sum, 0);
      v128.store32_lane(to + under, sum, 1);
      v128.store32_lane(to + 2 * under, sum, 2);
      v128.store32_lane(to + 3 * under, sum, 3);
      to += 4;
    }
    out += 4 * under;
  }
  for (; y < h; y++) {
    for (let tap = taps; tap < end; tap += stride) {
      const from = src + ((<usize>load<i32>(tap)) << 2);
      const last = (<usize>load<i32>(tap, 4)) << 2;
      let sum: f32 = 0;
      for (let k: usize = 0; k < last; k += 4) sum += load<f32>(from + k) * load<f32>(tap + k, 8);
      store<f32>(out, sum);
      out += 4;
    }
    src += pitch;
  }
}

/** Four lines as one of vectors, a lane for each. */
function transposed(line: usize, pitch: usize, w: i32, out: usize): void {
  const end = line + ((<usize>w) << 2);
  for (; line + 16 <= end; line += 16) {
    const a = v128.load(line);
    const b = v128.load(line + pitch);
    const c = v128.load(line + 2 * pitch);
    const d = v128.load(line + 3 * pitch);
    storeTransposed(a, b, c, d, out, 16);
    out += 64;
  }
  for (; line < end; line += 4) {
    store<f32>(out, load<f32>(line));
    store<f32>(out, load<f32>(line + pitch), 4);
    store<f32>(out, load<f32>(line + 2 * pitch), 8);
    store<f32>(out, load<f32>(line + 3 * pitch), 12);
    out += 16;
  }
}

/** Stores four vectors as columns: the lines begin `pitch` bytes apart. */
// @ts-ignore: decorator
@inline
function storeTransposed(a: v128, b: v128, c: v128, d: v128, to: usize, pitch: usize): void {
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const lateAb = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const lateCd = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
  v128.store(to + pitch, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
  v128.store(to + 2 * pitch, v128.shuffle<f32>(lateAb, lateCd, 0, 1, 4, 5));
  v128.store(to + 3 * pitch, v128.shuffle<f32>(lateAb, lateCd, 2, 3, 6, 7));
}

/** A pixel of four lines at once, of three pixels at least. @param last  bytes of the weights */
// @ts-ignore: decorator
@inline
function ofFour(tap: usize, band: usize, last: usize): v128 {
  let from = band + ((<usize>load<i32>(tap)) << 4);
  const first = f32x4.add(f32x4.splat(0), f32x4.mul(v128.load(from), v128.load32_splat(tap, 8)));
  const second = f32x4.add(first, f32x4.mul(v128.load(from, 16), v128.load32_splat(tap, 12)));
  let sum = f32x4.add(second, f32x4.mul(v128.load(from, 32), v128.load32_splat(tap, 16)));
  for (let k: usize = 12; k < last; k += 4) {
    from += 16;
    sum = f32x4.add(sum, f32x4.mul(v128.load(from, 32), v128.load32_splat(tap + k, 8)));
  }
  return sum;
}

/** Resamples columns, sixteen at once as far as there are sixteen. */
function down(rows: usize, dw: i32, h: i32, dst: usize, dh: i32, taps: usize): void {
  const stride = <usize>triangle(h, dh, taps);
  const pitch = (<usize>dw) << 2;
  for (let tap = taps; tap < taps + <usize>dh * stride; tap += stride) {
    const from = rows + <usize>load<i32>(tap) * pitch;
    const last = (<usize>load<i32>(tap, 4)) << 2;
    let at: usize = 0;
    for (; at + 64 <= pitch; at += 64) {
      let a = f32x4.splat(0);
      let b = a;
      let c = a;
      let d = a;
      let line = from + at;
      for (let k: usize = 0; k < last; k += 4) {
        const weight = v128.load32_splat(tap + k, 8);
        a = f32x4.add(a, f32x4.mul(v128.load(line), weight));
        b = f32x4.add(b, f32x4.mul(v128.load(line, 16), weight));
        c = f32x4.add(c, f32x4.mul(v128.load(line, 32), weight));
        d = f32x4.add(d, f32x4.mul(v128.load(line, 48), weight));
        line += pitch;
      }
      v128.store(dst + at, a);
      v128.store(dst + at, b, 16);
      v128.store(dst + at, c, 32);
      v128.store(dst + at, d, 48);
    }
    for (; at < pitch; at += 4) {
      let sum: f32 = 0;
      let line = from + at;
      for (let k: usize = 0; k < last; k += 4) {
        sum += load<f32>(line) * load<f32>(tap + k, 8);
        line += pitch;
      }
      store<f32>(dst + at, sum);
    }
    dst += pitch;
  }
}

/** How many taps a pixel may have. @param step  source pixels in one */
function mostTaps(step: f64): i32 {
  return 2 * <i32>Math.ceil(max<f64>(step, 1)) + 1;
}

/** Bytes of the weights of the pixel that has most. */
function widest(taps: usize, count: i32, stride: usize): usize {
  let most = 0;
  for (let i = 0; i < count; i++) most = max(most, load<i32>(taps + <usize>i * stride, 4));
  return (<usize>most) << 2;
}

/** Writes for each of `to` pixels: first source index, number of taps, weights, and zeros up to the most taps. Returns the bytes of one entry. */
function triangle(from: i32, to: i32, taps: usize): i32 {
  const step = <f64>from / <f64>to;
  const radius = step > 1 ? step : 1;
  const most = mostTaps(step);
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
    for (let k = count; k < most; k++) store<f32>(tap + ((<usize>k) << 2), 0, 8);
    store<i32>(tap, first);
    store<i32>(tap, count, 4);
  }
  return stride;
}
