/**
 * The largest values in squares of 2 * radius + 1 pixels, cut at the border; a ring a pass, along rows, then columns.
 * @param sign     1, or -1 for the smallest values
 * @param scratch  w * h floats; `dst` may be `src`
 */
export function extremes(src: usize, w: i32, h: i32, radius: i32, sign: f32, dst: usize, scratch: usize): void {
  const pitch = (<usize>w) << 2;
  const signs = f32x4.splat(sign);
  if (radius == 0) memory.copy(dst, src, pitch * <usize>h);
  for (let ring = 0; ring < radius; ring++) {
    const from = ring == 0 ? src : dst;
    for (let y = 0; y < h; y++) along(from + <usize>y * pitch, scratch + <usize>y * pitch, w, sign, signs);
    for (let y = 0; y < h; y++) {
      const row = scratch + <usize>y * pitch;
      const up = y > 0 ? row - pitch : row;
      const down = y < h - 1 ? row + pitch : row;
      const out = dst + <usize>y * pitch;
      let x: usize = 0;
      for (; x + 16 <= pitch; x += 16) {
        const best = f32x4.pmax(f32x4.pmax(v128.load(up + x), v128.load(row + x)), v128.load(down + x));
        v128.store(out + x, f32x4.mul(best, signs));
      }
      for (; x < pitch; x += 4) {
        store<f32>(out + x, sign * max<f32>(max<f32>(load<f32>(up + x), load<f32>(row + x)), load<f32>(down + x)));
      }
    }
  }
}

/** The largest of three neighbours in a row, each times the sign. */
function along(row: usize, out: usize, w: i32, sign: f32, signs: v128): void {
  store<f32>(out, ofThree(row, 0, w, sign));
  let x = 1;
  for (; x + 5 <= w; x += 4) {
    const at = row + ((<usize>x) << 2);
    const before = f32x4.mul(v128.load(at - 4), signs);
    const here = f32x4.mul(v128.load(at), signs);
    const after = f32x4.mul(v128.load(at, 4), signs);
    v128.store(out + ((<usize>x) << 2), f32x4.pmax(f32x4.pmax(before, here), after));
  }
  for (; x < w; x++) store<f32>(out + ((<usize>x) << 2), ofThree(row, x, w, sign));
}

function ofThree(row: usize, x: i32, w: i32, sign: f32): f32 {
  const before = sign * load<f32>(row + ((<usize>max(x - 1, 0)) << 2));
  const here = sign * load<f32>(row + ((<usize>x) << 2));
  const after = sign * load<f32>(row + ((<usize>min(x + 1, w - 1)) << 2));
  return max<f32>(max<f32>(before, here), after);
}
