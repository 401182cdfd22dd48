/**
 * Adds to `out` the square of what the range of values around a pixel in the other picture does not explain, measured both
 * ways: how far outside of it the value lies, less what is always forgiven, less a share of the smaller range.
 *
 * @param n           a multiple of 4
 * @param one, other  n values, then the largest and then the smallest around each
 * @param out         n sums
 */
export function unexplained(one: usize, other: usize, n: i32, free: f32, share: f32, weight: f32, out: usize): void {
  const plane = (<usize>n) << 2;
  for (let at: usize = 0; at < plane; at += 16) {
    const a = v128.load(one + at);
    const b = v128.load(other + at);
    const aTop = v128.load(one + plane + at);
    const aBottom = v128.load(one + 2 * plane + at);
    const bTop = v128.load(other + plane + at);
    const bBottom = v128.load(other + 2 * plane + at);
    const there = f32x4.max(f32x4.sub(a, bTop), f32x4.sub(bBottom, a));
    const back = f32x4.max(f32x4.sub(b, aTop), f32x4.sub(aBottom, b));
    const contrast = f32x4.min(f32x4.sub(aTop, aBottom), f32x4.sub(bTop, bBottom));
    const off = f32x4.sub(
      f32x4.sub(f32x4.max(there, back), f32x4.splat(free)),
      f32x4.mul(contrast, f32x4.splat(share)),
    );
    const excess = f32x4.mul(f32x4.max(off, f32x4.splat(0)), f32x4.splat(weight));
    v128.store(out + at, f32x4.add(v128.load(out + at), f32x4.mul(excess, excess)));
  }
}

/**
 * Takes the square roots of sums, up to 255, where pictures are compared, and 0 elsewhere; a larger number of `least` counts instead.
 *
 * @param n                a multiple of 4
 * @param compared, least  n floats
 */
export function strengths(sums: usize, compared: usize, least: usize, n: i32): void {
  for (let at: usize = 0; at < (<usize>n) << 2; at += 16) {
    const root = f32x4.min(f32x4.sqrt(v128.load(sums + at)), f32x4.splat(255));
    const isCompared = f32x4.gt(v128.load(compared + at), f32x4.splat(0));
    v128.store(sums + at, f32x4.max(v128.and(root, isCompared), v128.load(least + at)));
  }
}
