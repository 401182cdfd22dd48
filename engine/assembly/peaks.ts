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
  for (let y = margin; y < h - margin; y++) {
    const row = response + <usize>y * pitch;
    for (let x = margin; x < w - margin; x++) {
      const at = row + ((<usize>x) << 2);
      if (x + 4 <= w - margin) {
        // four at once; hardly any place passes
        const v = v128.load(at);
        const higher = v128.and(f32x4.gt(v, floor), v128.and(f32x4.gt(v, v128.load(at - 4)), f32x4.ge(v, v128.load(at, 4))));
        const top = v128.and(higher, v128.and(f32x4.gt(v, v128.load(at - pitch)), f32x4.ge(v, v128.load(at + pitch))));
        if (!v128.any_true(top)) {
          x += 3;
          continue;
        }
      }
      const v = load<f32>(at);
      if (v <= threshold) continue;
      const left = load<f32>(at - 4);
      const right = load<f32>(at, 4);
      if (v <= left || v < right) continue;
      const up = load<f32>(at - pitch);
      const down = load<f32>(at + pitch);
      if (v <= up || v < down) continue;
      if (v <= load<f32>(at - pitch - 4) || v <= load<f32>(at - pitch + 4)) continue;
      if (v < load<f32>(at + pitch - 4) || v < load<f32>(at + pitch + 4)) continue;
      if (n == most) return n;
      const to = out + <usize>(12 * n);
      store<f32>(to, <f32>x + <f32>0.5 + parabola(left, v, right));
      store<f32>(to, <f32>y + <f32>0.5 + parabola(up, v, down), 4);
      store<f32>(to, v, 8);
      n++;
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
