/**
 * Projects descriptors of 128 floats on 64 axes and keeps 4 bits of each.
 *
 * @param axes   64 × 128 floats
 * @param mean   64 floats, taken off after projecting
 * @param step   64 floats, the width of one of the 16 levels; level 8 begins at the mean
 * @param out    n × 32 bytes; axis 2j in the low half of byte j, axis 2j + 1 in the high half
 */
export function project(descriptors: usize, n: i32, axes: usize, mean: usize, step: usize, out: usize): void {
  for (let i = 0; i < n; i++) {
    const from = descriptors + <usize>(512 * i);
    for (let j: usize = 0; j < 32; j += 2) {
      // four sums at once, so that none waits for itself
      const axis = axes + 1024 * j;
      let s0 = f32x4.splat(0);
      let s1 = f32x4.splat(0);
      let s2 = f32x4.splat(0);
      let s3 = f32x4.splat(0);
      for (let k: usize = 0; k < 512; k += 16) {
        const v = v128.load(from + k);
        s0 = f32x4.add(s0, f32x4.mul(v, v128.load(axis + k)));
        s1 = f32x4.add(s1, f32x4.mul(v, v128.load(axis + k, 512)));
        s2 = f32x4.add(s2, f32x4.mul(v, v128.load(axis + k, 1024)));
        s3 = f32x4.add(s3, f32x4.mul(v, v128.load(axis + k, 1536)));
      }
      const means = mean + 8 * j;
      const steps = step + 8 * j;
      const to = out + <usize>(32 * i) + j;
      store<u8>(to, <u8>(level(s0, load<f32>(means), load<f32>(steps)) | (level(s1, load<f32>(means, 4), load<f32>(steps, 4)) << 4)));
      store<u8>(to, <u8>(level(s2, load<f32>(means, 8), load<f32>(steps, 8)) | (level(s3, load<f32>(means, 12), load<f32>(steps, 12)) << 4)), 1);
    }
  }
}

// @ts-ignore: decorator
@inline
function level(sum: v128, mean: f32, step: f32): i32 {
  const dot: f32 =
    f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3));
  const at = <i32>floor<f32>((dot - mean) / step) + 8;
  return min(max(at, 0), 15);
}
