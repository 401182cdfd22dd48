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

/**
 * The largest and the smallest values in the same squares, at once.
 * @param out      w * h floats padded to a multiple of four, twice: the largest, then the smallest
 * @param scratch  2 * (w + 3) * h + w + 2 * radius + 4 floats
 */
export function ranges(src: usize, w: i32, h: i32, radius: i32, out: usize, scratch: usize): void {
  const plane = ((<usize>(w * h) + 3) & ~3) << 2;
  if (w < 4) {
    extremes(src, w, h, radius, 1, out, scratch);
    extremes(src, w, h, radius, -1, out + plane, scratch);
    return;
  }
  const pitch = (<usize>w) << 2;
  const wide = (pitch + 15) & ~15;
  const smallest = scratch + wide * <usize>h;
  const line = smallest + wide * <usize>h;
  for (let y = 0; y < h + radius; y++) {
    if (y < h) {
      const row = <usize>y * wide;
      repeated(src + <usize>y * pitch, w, radius, line);
      for (let x: usize = 0; x < wide; x += 16) both(line + x, line + x, 4, 2 * radius, scratch + row + x, smallest + row + x);
    }
    const middle = y - radius;
    if (middle < 0) continue;
    const first = <usize>max(middle - radius, 0) * wide;
    const steps = min(middle + radius, h - 1) - max(middle - radius, 0);
    const to = out + <usize>middle * pitch;
    for (let x: usize = 0; x < pitch; x += 16) {
      const at = min<usize>(x, pitch - 16); // the last four may be in the four before
      both(scratch + first + at, smallest + first + at, wide, steps, to + at, to + plane + at);
    }
  }
}

/** The largest of the values some steps apart from one place on, and the smallest from another. */
// @ts-ignore: decorator
@inline
function both(high: usize, low: usize, step: usize, steps: i32, largest: usize, smallest: usize): void {
  let most = v128.load(high);
  let least = v128.load(low);
  for (let k = 0; k < steps; k++) {
    high += step;
    low += step;
    most = f32x4.pmax(most, v128.load(high));
    least = f32x4.pmin(least, v128.load(low));
  }
  v128.store(largest, most);
  v128.store(smallest, least);
}

/** A row with its outer pixels repeated, and four more at its end. */
function repeated(row: usize, w: i32, radius: i32, out: usize): void {
  const last = load<f32>(row + ((<usize>(w - 1)) << 2));
  for (let k = 0; k < radius; k++, out += 4) store<f32>(out, load<f32>(row));
  memory.copy(out, row, (<usize>w) << 2);
  out += (<usize>w) << 2;
  for (let k = 0; k < radius + 4; k++, out += 4) store<f32>(out, last);
}
