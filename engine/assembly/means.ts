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
    let x: usize = 0;
    for (; x + 16 <= pitch; x += 16) {
      let sum = f32x4.splat(0);
      for (let row = first; row <= last; row++) sum = f32x4.add(sum, v128.load(scratch + <usize>row * pitch + x));
      v128.store(out + x, f32x4.mul(sum, f32x4.splat(share)));
    }
    for (; x < pitch; x += 4) {
      let sum: f32 = 0;
      for (let row = first; row <= last; row++) sum += load<f32>(scratch + <usize>row * pitch + x);
      store<f32>(out + x, sum * share);
    }
  }
}

function across(row: usize, x: i32, w: i32, radius: i32): f32 {
  const first = max(x - radius, 0);
  const last = min(x + radius, w - 1);
  let sum: f32 = 0;
  for (let k = first; k <= last; k++) sum += load<f32>(row + ((<usize>k) << 2));
  return <f32>(<f64>sum / <f64>(last - first + 1));
}
