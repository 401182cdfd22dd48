/** Bytes of one entry: squared length of the shape (i32), sum of the amounts (i32), 8 zeros; then the embedding. */
const ENTRY_BYTES: usize = 368;
const SHAPE_OFFSET: usize = 16;
const ODD_AXES_OFFSET: usize = 128;
const AMOUNTS_OFFSET: usize = 208;
const LAYOUT_OFFSET: usize = 320;

/**
 * Scores entries of a block against a query, itself an entry: `(1 - weight) * shape + weight * color`, each part in [0, 1].
 *
 *     shape = 1/2 - (even + |odd|) / (|a|² + |b|²)       even, odd: dot products of the two parts of the shapes
 *     color = 1601c² / (3200c² + 2),  c = 0.6 Σ|a - b| / Σ(a + b)  of the amounts  +  0.4 min(1, Σ|a - b| / (48 · 60))  of the layouts
 *
 * The score of the colours is 1/4 at c = 0.025 and nearly 1/2 from 0.1 on.
 * Once colours differ, the amount hardly matters: at equal weights, pictures without common colours are ranked by their shapes.
 * The odd part may be negated, so that a picture and its mirror image count as one. A part of weight 0 is not read.
 *
 * @param slots  `n` places in the block, uint32
 * @param out    float64, one a slot
 */
export function similarities(block: usize, slots: usize, n: i32, query: usize, weight: f64, out: usize): void {
  for (let i = 0; i < n; i++) {
    const entry = block + ENTRY_BYTES * load<u32>(slots);
    const shape = weight < 1 ? shapeScore(entry, query) : 0;
    const color = weight > 0 ? colorScore(entry, query, AMOUNTS_OFFSET) : 0;
    store<f64>(out, (1 - weight) * shape + weight * color);
    slots += 4;
    out += 8;
  }
}

/** The colour embedding of an entry with a vector begins here, its vector behind. */
const COLOR_OFFSET: usize = 16;
const VECTOR_OFFSET: usize = COLOR_OFFSET + LAYOUT_OFFSET - AMOUNTS_OFFSET + ENTRY_BYTES - LAYOUT_OFFSET;

/**
 * As `similarities`, for entries with a vector of a network instead of a shape: squared length of the vector (i32), sum of
 * the amounts (i32), 8 zeros; the colour embedding; the vector, with zeros up to a multiple of 16.
 *
 *     vector = (1 - a·b / √(|a|² |b|²)) / 2
 *
 * @param size  bytes of an entry
 */
export function vectorSimilarities(
  block: usize,
  slots: usize,
  n: i32,
  size: usize,
  query: usize,
  weight: f64,
  out: usize,
): void {
  for (let i = 0; i < n; i++) {
    const entry = block + size * load<u32>(slots);
    const vector = weight < 1 ? vectorScore(entry, query, size - VECTOR_OFFSET) : 0;
    const color = weight > 0 ? colorScore(entry, query, COLOR_OFFSET) : 0;
    store<f64>(out, (1 - weight) * vector + weight * color);
    slots += 4;
    out += 8;
  }
}

// @ts-ignore: decorator
@inline
function vectorScore(a: usize, b: usize, n: usize): f64 {
  const lengths = sqrt(<f64>load<i32>(a) * <f64>load<i32>(b));
  return max<f64>(0, 0.5 - (0.5 * <f64>dot(a + VECTOR_OFFSET, b + VECTOR_OFFSET, n)) / lengths);
}

// @ts-ignore: decorator
@inline
function shapeScore(a: usize, b: usize): f64 {
  const even = dot(a + SHAPE_OFFSET, b + SHAPE_OFFSET, ODD_AXES_OFFSET - SHAPE_OFFSET);
  const odd = dot(a + ODD_AXES_OFFSET, b + ODD_AXES_OFFSET, AMOUNTS_OFFSET - ODD_AXES_OFFSET);
  const lengths = load<i32>(a) + load<i32>(b);
  return max<f64>(0, 0.5 - <f64>(even + abs(odd)) / <f64>lengths);
}

// @ts-ignore: decorator
@inline
function colorScore(a: usize, b: usize, colors: usize): f64 {
  const sums = max(1, load<i32>(a, 4) + load<i32>(b, 4));
  const amounts = <f64>difference(a + colors, b + colors, LAYOUT_OFFSET - AMOUNTS_OFFSET) / <f64>sums;
  const layouts = colors + LAYOUT_OFFSET - AMOUNTS_OFFSET;
  const layout = <f64>difference(a + layouts, b + layouts, ENTRY_BYTES - LAYOUT_OFFSET) / (48 * 60);
  const apart = 0.6 * amounts + 0.4 * min<f64>(1, layout);
  const square = apart * apart;
  return (1601 * square) / (3200 * square + 2);
}

// @ts-ignore: decorator
@inline
function dot(a: usize, b: usize, n: usize): i32 {
  let sum = i32x4.splat(0);
  for (let k: usize = 0; k < n; k += 16) {
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
