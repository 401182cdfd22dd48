/** Bytes of one entry: 96 + 96 signed bytes of shape, 112 + 48 unsigned bytes of colour. */
const ENTRY: usize = 352;

/**
 * Compares a query with `n` entries that lie one after another.
 *
 * @param out  4 integers an entry: dot product of the even half of the shapes, of the odd half, sum of the absolute
 *             differences of the amounts of colour, of the layouts
 */
export function looks(entries: usize, n: i32, query: usize, out: usize): void {
  for (let i = 0; i < n; i++) {
    store<i32>(out, dot(entries, query));
    store<i32>(out, dot(entries + 96, query + 96), 4);
    store<i32>(out, difference(entries + 192, query + 192, 112), 8);
    store<i32>(out, difference(entries + 304, query + 304, 48), 12);
    entries += ENTRY;
    out += 16;
  }
}

// @ts-ignore: decorator
@inline
function dot(a: usize, b: usize): i32 {
  let sum = i32x4.splat(0);
  for (let k: usize = 0; k < 96; k += 16) {
    const x = v128.load(a + k);
    const y = v128.load(b + k);
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(x), i16x8.extend_low_i8x16_s(y)));
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(x), i16x8.extend_high_i8x16_s(y)));
  }
  return total(sum);
}

// @ts-ignore: decorator
@inline
function difference(a: usize, b: usize, n: usize): i32 {
  let sum = i16x8.splat(0);
  for (let k: usize = 0; k < n; k += 16) {
    const x = v128.load(a + k);
    const y = v128.load(b + k);
    sum = i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(i8x16.sub(i8x16.max_u(x, y), i8x16.min_u(x, y))));
  }
  return total(i32x4.extadd_pairwise_i16x8_u(sum));
}

// @ts-ignore: decorator
@inline
function total(v: v128): i32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}
