/**
 * Local maxima of a response above `threshold`, at least `margin` pixels from the border, refined to a fraction of a
 * pixel by a parabola along each axis. A pixel is a maximum when it is above the four neighbours before it in reading order and
 * not below the four after it.
 *
 * @param out  up to `most` × (x, y, response) floats; x and y in pixels, the first pixel's centre at 0.5
 * @returns how many were written; scanning ends when `out` is full
 */
export function peaks(response: usize, w: i32, h: i32, margin: i32, threshold: f32, out: usize, most: i32): i32 {
  const pitch = (<usize>w) << 2;
  const floor = f32x4.splat(threshold);
  let n = 0;
  const end = w - margin;
  for (let y = margin; y < h - margin; y++) {
    const row = response + <usize>y * pitch - 4;
    for (let x = margin; x < end; x += 4) {
      // four at once; hardly any place passes
      const at = row + ((<usize>x) << 2);
      const above = at - pitch;
      const below = at + pitch;
      const v = v128.load(at, 4);
      const beside = v128.and(f32x4.gt(v, v128.load(at)), f32x4.ge(v, v128.load(at, 8)));
      const higher = v128.and(f32x4.gt(v, v128.load(above, 4)), f32x4.ge(v, v128.load(below, 4)));
      let tops = i32x4.bitmask(v128.and(v128.and(f32x4.gt(v, floor), beside), higher));
      if (!tops) continue;
      const before = v128.and(f32x4.gt(v, v128.load(above)), f32x4.gt(v, v128.load(above, 8)));
      const after = v128.and(f32x4.ge(v, v128.load(below)), f32x4.ge(v, v128.load(below, 8)));
      tops &= i32x4.bitmask(v128.and(before, after));
      for (; tops; tops &= tops - 1) {
        const lane = ctz(tops);
        if (x + lane >= end) break;
        if (n == most) return n;
        const off = (<usize>lane) << 2;
        const top = load<f32>(at + off, 4);
        const to = out + <usize>(12 * n);
        store<f32>(to, <f32>(x + lane) + <f32>0.5 + parabola(load<f32>(at + off), top, load<f32>(at + off, 8)));
        store<f32>(to, <f32>y + <f32>0.5 + parabola(load<f32>(above + off, 4), top, load<f32>(below + off, 4)), 4);
        store<f32>(to, top, 8);
        n++;
      }
    }
  }
  return n;
}

/** Where the parabola through three values at -1, 0, 1 has its top, in [-0.5, 0.5]; the middle must be the largest. */
// @ts-ignore: decorator
@inline
export function parabola(before: f32, at: f32, after: f32): f32 {
  const bend: f32 = before - <f32>2 * at + after;
  return bend == 0 ? 0 : (<f32>0.5 * (before - after)) / bend;
}
