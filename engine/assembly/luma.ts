/** Rec. 601 luma of `n` RGB pixels as floats in [0, 255]: (77 R + 150 G + 29 B) / 256. */
export function luma(rgb: usize, n: i32, out: usize): void {
  const zero = i32x4.splat(0);
  let i = 0;
  // four at once, of 16 bytes that are read
  for (; i + 6 <= n; i += 4) {
    const four = v128.load(rgb + <usize>(3 * i));
    const redGreen = v128.shuffle<u8>(four, zero, 0, 16, 1, 16, 3, 16, 4, 16, 6, 16, 7, 16, 9, 16, 10, 16);
    const blue = v128.shuffle<u8>(four, zero, 2, 16, 16, 16, 5, 16, 16, 16, 8, 16, 16, 16, 11, 16, 16, 16);
    const sum = i32x4.add(
      i32x4.dot_i16x8_s(redGreen, i16x8(77, 150, 77, 150, 77, 150, 77, 150)),
      i32x4.dot_i16x8_s(blue, i16x8(29, 0, 29, 0, 29, 0, 29, 0)),
    );
    v128.store(out + ((<usize>i) << 2), f32x4.mul(f32x4.convert_i32x4_s(sum), f32x4.splat(1 / 256)));
  }
  for (; i < n; i++) {
    const p = rgb + <usize>(3 * i);
    const sum = 77 * <i32>load<u8>(p) + 150 * <i32>load<u8>(p, 1) + 29 * <i32>load<u8>(p, 2);
    store<f32>(out + ((<usize>i) << 2), <f32>sum * (<f32>1 / 256));
  }
}
