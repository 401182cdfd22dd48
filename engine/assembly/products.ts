/**
 * Inner products of all pairs of rows of bytes, each byte about 128.
 *
 * @param rows    n rows, `pitch` bytes from one to the next
 * @param length  bytes of a row that count; at most 130,000, so that no sum overflows
 * @param out     n × n int32, row-major
 */
export function products(rows: usize, n: i32, pitch: i32, length: i32, out: usize): void {
  for (let a = 0; a < n; a++) {
    for (let b = 0; b <= a; b++) {
      const sum = dot(rows + <usize>a * <usize>pitch, rows + <usize>b * <usize>pitch, <usize>length);
      store<i32>(out + ((<usize>a * <usize>n + <usize>b) << 2), sum);
      store<i32>(out + ((<usize>b * <usize>n + <usize>a) << 2), sum);
    }
  }
}

// @ts-ignore: decorator
@inline
function dot(a: usize, b: usize, length: usize): i32 {
  const middle = i8x16.splat(-128);
  const whole = length & ~15;
  let sums = i32x4.splat(0);
  for (let k: usize = 0; k < whole; k += 16) {
    const x = v128.xor(v128.load(a + k), middle);
    const y = v128.xor(v128.load(b + k), middle);
    sums = i32x4.add(sums, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(x), i16x8.extend_low_i8x16_s(y)));
    sums = i32x4.add(sums, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(x), i16x8.extend_high_i8x16_s(y)));
  }
  let sum =
    i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
  for (let k = whole; k < length; k++) sum += (<i32>load<u8>(a + k) - 128) * (<i32>load<u8>(b + k) - 128);
  return sum;
}
