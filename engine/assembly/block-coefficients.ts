const BLOCK_SIDE = 8;
/** The frequencies across and down of the five lists. */
const across: StaticArray<u8> = [1, 0, 1, 2, 0];
const down: StaticArray<u8> = [0, 1, 1, 0, 2];
const LISTS = 5;

/**
 * The coefficients of the discrete cosine transform of all whole blocks of 8 × 8 pixels, for the frequencies (across, down) = (1, 0),
 * (0, 1), (1, 1), (2, 0) and (0, 2).
 *
 * @param left, top  where the first block begins
 * @param cosines    3 × 8 floats: for each frequency what each pixel of a line of 8 weighs
 * @param out        five lists of a float a block, row by row
 * @param scratch    3 * w floats
 */
export function blockCoefficients(src: usize, w: i32, h: i32, left: i32, top: i32, cosines: usize, out: usize, scratch: usize): void {
  const pitch = (<usize>w) << 2;
  const columns = max(0, (w - left) / BLOCK_SIDE);
  const rows = max(0, (h - top) / BLOCK_SIDE);
  if (rows == 0 || columns == 0) return;
  const list = (<usize>(rows * columns)) << 2;
  for (let row = 0; row < rows; row++) {
    sumsDown(src + <usize>(top + BLOCK_SIDE * row) * pitch, pitch, cosines, scratch);
    for (let column = 0; column < columns; column++) {
      const to = out + ((<usize>(row * columns + column)) << 2);
      const start = scratch + ((<usize>(left + BLOCK_SIDE * column)) << 2);
      for (let k = 0; k < LISTS; k++) {
        const sums = start + pitch * <usize>unchecked(down[k]);
        const table = cosines + 32 * <usize>unchecked(across[k]);
        const products = f32x4.add(
          f32x4.mul(v128.load(sums), v128.load(table)),
          f32x4.mul(v128.load(sums, 16), v128.load(table, 16)),
        );
        store<f32>(to + list * <usize>k, total(products));
      }
    }
  }
}

/** For each frequency down the sums over the columns of 8 lines. A cosine of an odd frequency has the other sign beyond the middle. */
function sumsDown(src: usize, pitch: usize, cosines: usize, out: usize): void {
  const level = v128.load32_splat(cosines);
  // the last four pixels may be taken twice
  for (let x: usize = 0; x < pitch; x = x + 16 > pitch - 16 && x + 16 < pitch ? pitch - 16 : x + 16) {
    let flat = f32x4.splat(0);
    let odd = f32x4.splat(0);
    let even = f32x4.splat(0);
    for (let y: usize = 0; y < <usize>BLOCK_SIDE / 2; y++) {
      const one = v128.load(src + x + y * pitch);
      const other = v128.load(src + x + (<usize>BLOCK_SIDE - 1 - y) * pitch);
      const sum = f32x4.add(one, other);
      flat = f32x4.add(flat, sum);
      odd = f32x4.add(odd, f32x4.mul(f32x4.sub(one, other), v128.load32_splat(cosines + (y << 2), 32)));
      even = f32x4.add(even, f32x4.mul(sum, v128.load32_splat(cosines + (y << 2), 64)));
    }
    v128.store(out + x, f32x4.mul(flat, level));
    v128.store(out + x + pitch, odd);
    v128.store(out + x + 2 * pitch, even);
  }
}

// @ts-ignore: decorator
@inline
function total(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}
