/**
 * Projects descriptors of 128 floats on 64 axes and keeps 4 bits of each.
 *
 * @param axes   64 × 128 floats
 * @param mean   64 floats, taken off after projecting
 * @param step   64 floats, the width of one of the 16 levels; level 8 begins at the mean
 * @param out    n × 32 bytes; axis 2j in the low half of byte j, axis 2j + 1 in the high half
 */
export function project(descriptors: usize, n: i32, axes: usize, mean: usize, step: usize, out: usize): void {
  for (let i = 0; i < n; i += 2) {
    // two descriptors, so that every axis is read for both; the last may be the same twice
    const next = i + 1 < n ? i + 1 : i;
    const one = descriptors + <usize>(512 * i);
    const other = descriptors + <usize>(512 * next);
    for (let j: usize = 0; j < 32; j += 2) {
      // four sums at once, so that none waits for itself
      let axis = axes + 1024 * j;
      let s0 = f32x4.splat(0);
      let s1 = s0;
      let s2 = s0;
      let s3 = s0;
      let t0 = s0;
      let t1 = s0;
      let t2 = s0;
      let t3 = s0;
      for (let k: usize = 0; k < 512; k += 16) {
        const u = v128.load(one + k);
        const v = v128.load(other + k);
        s0 = f32x4.add(s0, f32x4.mul(u, v128.load(axis)));
        t0 = f32x4.add(t0, f32x4.mul(v, v128.load(axis)));
        s1 = f32x4.add(s1, f32x4.mul(u, v128.load(axis, 512)));
        t1 = f32x4.add(t1, f32x4.mul(v, v128.load(axis, 512)));
        s2 = f32x4.add(s2, f32x4.mul(u, v128.load(axis, 1024)));
        t2 = f32x4.add(t2, f32x4.mul(v, v128.load(axis, 1024)));
        s3 = f32x4.add(s3, f32x4.mul(u, v128.load(axis, 1536)));
        t3 = f32x4.add(t3, f32x4.mul(v, v128.load(axis, 1536)));
        axis += 16;
      }
      const means = v128.load(mean + 8 * j);
      const steps = v128.load(step + 8 * j);
      levels(s0, s1, s2, s3, means, steps, out + <usize>(32 * i) + j);
      levels(t0, t1, t2, t3, means, steps, out + <usize>(32 * next) + j);
    }
  }
}

/** Added to a whole number below 256, it puts this into the lowest byte. */
const LOWEST_BYTE: f32 = 8388608;

/** Writes four levels in two bytes. */
// @ts-ignore: decorator
@inline
function levels(s0: v128, s1: v128, s2: v128, s3: v128, means: v128, steps: v128, to: usize): void {
  const a = v128.shuffle<f32>(s0, s1, 0, 4, 1, 5);
  const b = v128.shuffle<f32>(s2, s3, 0, 4, 1, 5);
  const c = v128.shuffle<f32>(s0, s1, 2, 6, 3, 7);
  const d = v128.shuffle<f32>(s2, s3, 2, 6, 3, 7);
  const early = f32x4.add(v128.shuffle<f32>(a, b, 0, 1, 4, 5), v128.shuffle<f32>(a, b, 2, 3, 6, 7));
  const late = f32x4.add(v128.shuffle<f32>(c, d, 0, 1, 4, 5), v128.shuffle<f32>(c, d, 2, 3, 6, 7));
  const whole = f32x4.floor(f32x4.div(f32x4.sub(f32x4.add(early, late), means), steps));
  const level = f32x4.pmin(f32x4.pmax(f32x4.add(whole, f32x4.splat(8)), f32x4.splat(0)), f32x4.splat(15));
  const halves = f32x4.mul(level, f32x4(1, 16, 1, 16));
  const bytes = f32x4.add(f32x4.add(halves, v128.shuffle<f32>(halves, halves, 1, 0, 3, 2)), f32x4.splat(LOWEST_BYTE));
  v128.store8_lane(to, bytes, 0);
  v128.store8_lane(to, bytes, 8, 1);
}
