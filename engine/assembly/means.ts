/**
 * Means over squares of 2 * radius + 1 pixels, cut at the border.
 * @param scratch  w * h floats; `dst` may be `src`
 */
export function means(src: usize, w: i32, h: i32, radius: i32, dst: usize, scratch: usize): void {
  const pitch = (<usize>w) << 2;
  const reach = (<usize>radius) << 2;
  const side = 2 * radius + 1;
  const whole = f32x4.splat(<f32>(1 / <f64>side));
  for (let y = 0; y < h; y++) {
    const row = src + <usize>y * pitch;
    const out = scratch + <usize>y * pitch;
    let x = 0;
    for (; x < min(radius, w); x++) store<f32>(out + ((<usize>x) << 2), across(row, x, w, radius));
    for (; x + 16 + radius <= w; x += 16) {
      const at = row + ((<usize>x) << 2);
      sumSixteen(at - reach, at + reach, 4, whole, out + ((<usize>x) << 2));
    }
    for (; x + 4 + radius <= w; x += 4) {
      const at = row + ((<usize>x) << 2);
      let sum = f32x4.splat(0);
      for (let k = at - reach; k <= at + reach; k += 4) sum = f32x4.add(sum, v128.load(k));
      v128.store(out + ((<usize>x) << 2), f32x4.mul(sum, whole));
    }
    for (; x < w; x++) store<f32>(out + ((<usize>x) << 2), across(row, x, w, radius));
  }
  for (let y = 0; y < h; y++) {
    const first = max(y - radius, 0);
    const last = min(y + radius, h - 1);
    const share = <f32>(1 / <f64>(last - first + 1));
    const out = dst + <usize>y * pitch;
    const top = scratch + <usize>first * pitch;
    const bottom = scratch + <usize>last * pitch;
    let x: usize = 0;
    for (; x + 64 <= pitch; x += 64) sumSixteen(top + x, bottom + x, pitch, f32x4.splat(share), out + x);
    for (; x < pitch; x += 4) {
      let sum: f32 = 0;
      for (let row = first; row <= last; row++) sum += load<f32>(scratch + <usize>row * pitch + x);
      store<f32>(out + x, sum * share);
    }
  }
}

/** Sums of sixteen neighbours at once, of places a step apart from the first to the last, times a factor. */
// @ts-ignore: decorator
@inline
function sumSixteen(first: usize, last: usize, step: usize, factor: v128, out: usize): void {
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (let at = first; at <= last; at += step) {
    a = f32x4.add(a, v128.load(at));
    b = f32x4.add(b, v128.load(at, 16));
    c = f32x4.add(c, v128.load(at, 32));
    d = f32x4.add(d, v128.load(at, 48));
  }
  v128.store(out, f32x4.mul(a, factor));
  v128.store(out, f32x4.mul(b, factor), 16);
  v128.store(out, f32x4.mul(c, factor), 32);
  v128.store(out, f32x4.mul(d, factor), 48);
}

function across(row: usize, x: i32, w: i32, radius: i32): f32 {
  const first = max(x - radius, 0);
  const last = min(x + radius, w - 1);
  let sum: f32 = 0;
  for (let k = first; k <= last; k++) sum += load<f32>(row + ((<usize>k) << 2));
  return <f32>(<f64>sum / <f64>(last - first + 1));
}
