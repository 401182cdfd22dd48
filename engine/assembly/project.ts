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
    for (let j = 0; j < 32; j++) {
      const low = level(from, axes + <usize>(1024 * j), load<f32>(mean + <usize>(8 * j)), load<f32>(step + <usize>(8 * j)));
      const high = level(
        from,
        axes + <usize>(1024 * j + 512),
        load<f32>(mean + <usize>(8 * j), 4),
        load<f32>(step + <usize>(8 * j), 4),
      );
      store<u8>(out + <usize>(32 * i + j), <u8>(low | (high << 4)));
    }
  }
}

// @ts-ignore: decorator
@inline
function level(descriptor: usize, axis: usize, mean: f32, step: f32): i32 {
  let sum = f32x4.splat(0);
  for (let k: usize = 0; k < 512; k += 16) {
    sum = f32x4.add(sum, f32x4.mul(v128.load(descriptor + k), v128.load(axis + k)));
  }
  const dot: f32 =
    f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3));
  const at = <i32>floor<f32>((dot - mean) / step) + 8;
  return min(max(at, 0), 15);
}
