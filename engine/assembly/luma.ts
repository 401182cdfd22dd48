/** Rec. 601 luma of `n` RGB pixels as floats in [0, 255]: (77 R + 150 G + 29 B) / 256. */
export function luma(rgb: usize, n: i32, out: usize): void {
  for (let i = 0; i < n; i++) {
    const p = rgb + <usize>(3 * i);
    const sum = 77 * <i32>load<u8>(p) + 150 * <i32>load<u8>(p, 1) + 29 * <i32>load<u8>(p, 2);
    store<f32>(out + ((<usize>i) << 2), <f32>sum * (<f32>1 / 256));
  }
}
