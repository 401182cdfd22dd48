import { binomial } from './binomial';

/**
 * Binomial smoothing, (1 4 6 4 1) / 16 along both axes: close to a Gaussian of sigma 1. The border pixel repeats.
 * @param scratch  w * h floats; `dst` may be `src`
 */
export function smooth(src: usize, w: i32, h: i32, dst: usize, scratch: usize): void {
  const pitch = (<usize>w) << 2;
  for (let y = 0; y < h; y++) {
    const r0 = src + <usize>max(y - 2, 0) * pitch;
    const r1 = src + <usize>max(y - 1, 0) * pitch;
    const r2 = src + <usize>y * pitch;
    const r3 = src + <usize>min(y + 1, h - 1) * pitch;
    const r4 = src + <usize>min(y + 2, h - 1) * pitch;
    const out = scratch + <usize>y * pitch;
    let x = 0;
    for (; x + 4 <= w; x += 4) {
      const at = (<usize>x) << 2;
      v128.store(
        out + at,
        binomial(v128.load(r0 + at), v128.load(r1 + at), v128.load(r2 + at), v128.load(r3 + at), v128.load(r4 + at)),
      );
    }
    for (; x < w; x++) {
      const at = (<usize>x) << 2;
      store<f32>(
        out + at,
        ofOne(load<f32>(r0 + at), load<f32>(r1 + at), load<f32>(r2 + at), load<f32>(r3 + at), load<f32>(r4 + at)),
      );
    }
  }
  for (let y = 0; y < h; y++) {
    const row = scratch + <usize>y * pitch;
    const out = dst + <usize>y * pitch;
    let x = 0;
    for (; x < min(2, w); x++) store<f32>(out + ((<usize>x) << 2), across(row, x, w));
    for (; x + 6 <= w; x += 4) {
      const at = row + ((<usize>x) << 2);
      v128.store(
        out + ((<usize>x) << 2),
        binomial(v128.load(at - 8), v128.load(at - 4), v128.load(at), v128.load(at, 4), v128.load(at, 8)),
      );
    }
    for (; x < w; x++) store<f32>(out + ((<usize>x) << 2), across(row, x, w));
  }
}

// @ts-ignore: decorator
@inline
function ofOne(a: f32, b: f32, c: f32, d: f32, e: f32): f32 {
  const outer: f32 = (a + e) * <f32>(1 / 16);
  const inner: f32 = (b + d) * <f32>(4 / 16);
  return outer + inner + c * <f32>(6 / 16);
}

function across(row: usize, x: i32, w: i32): f32 {
  return ofOne(
    load<f32>(row + ((<usize>max(x - 2, 0)) << 2)),
    load<f32>(row + ((<usize>max(x - 1, 0)) << 2)),
    load<f32>(row + ((<usize>x) << 2)),
    load<f32>(row + ((<usize>min(x + 1, w - 1)) << 2)),
    load<f32>(row + ((<usize>min(x + 2, w - 1)) << 2)),
  );
}
