/**
 * Bytes of one entry: number of colours (i32), 4 zeros, its product with itself (f64), a column that is not read here, and those
 * of L, a, b and share (f32).
 */
const ENTRY_BYTES: usize = 336;
const COLUMNS_OFFSET: usize = 80;
/** Bytes of a column of 16 numbers; shares of colours that are not there are 0. */
const COLUMN_BYTES: usize = 64;
/** From this distance on, in OKLab, two colours have nothing in common; at a third of it, a little under half. */
const MAX_DISTANCE: f32 = 0.4;

/**
 * How far entries of a block are from a query, itself an entry, as mixtures: each colour is a soft cloud of its share around
 * its place, and what differs is measured where it lies. A colour that is two shades in one of the pictures costs next to
 * nothing, since two clouds side by side are nearly one.
 *
 *     |f - g| / √(|f|² + |g|²)        <f, g> = Σ share · share · k(distance)        k(r) = (1 - r)⁴ (4 r + 1), r = distance / MAX_DISTANCE
 *
 * A maximum mean discrepancy (A. Gretton et al., JMLR 13, 2012). The kernel has to be positive definite or the order of what is
 * near is spoiled: this one is, and ends (H. Wendland, Adv. Comput. Math. 4, 1995).
 *
 * @param slots  `n` places in the block, uint32
 * @param out    float64, one a slot: 0 for the same palette, 1 where no colour of one is near one of the other
 */
export function mixtures(block: usize, slots: usize, n: i32, query: usize, out: usize): void {
  for (let i = 0; i < n; i++) {
    const entry = block + ENTRY_BYTES * load<u32>(slots);
    const all = load<f64>(query, 8) + load<f64>(entry, 8);
    const apart = max<f64>(0, all - 2 * mixtureProduct(query, entry));
    store<f64>(out, all > 0 ? sqrt(apart / all) : 0);
    slots += 4;
    out += 8;
  }
}

/** Stores the product of an entry with itself in it. */
export function measureMixture(entry: usize): void {
  store<f64>(entry, mixtureProduct(entry, entry), 8);
}

/** <f, g> of two entries. */
function mixtureProduct(f: usize, g: usize): f64 {
  const colors = f + COLUMNS_OFFSET;
  const others = g + COLUMNS_OFFSET;
  const n = load<i32>(f);
  const end = <usize>((load<i32>(g) + 3) & ~3) << 2;
  const one = f32x4.splat(1);
  const four = f32x4.splat(4);
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    const p = colors + (<usize>i << 2);
    const L = v128.load32_splat(p);
    const a = v128.load32_splat(p, COLUMN_BYTES);
    const b = v128.load32_splat(p, 2 * COLUMN_BYTES);
    let near = f32x4.splat(0);
    for (let q: usize = 0; q < end; q += 16) {
      const x = f32x4.sub(L, v128.load(others + q));
      const y = f32x4.sub(a, v128.load(others + q, COLUMN_BYTES));
      const z = f32x4.sub(b, v128.load(others + q, 2 * COLUMN_BYTES));
      const d = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
      const r = f32x4.min(one, f32x4.div(f32x4.sqrt(d), f32x4.splat(MAX_DISTANCE)));
      const rest = f32x4.sub(one, r);
      const square = f32x4.mul(rest, rest);
      const likeness = f32x4.mul(f32x4.mul(square, square), f32x4.add(f32x4.mul(four, r), one));
      near = f32x4.add(near, f32x4.mul(v128.load(others + q, 3 * COLUMN_BYTES), likeness));
    }
    sum += <f64>load<f32>(p, 3 * COLUMN_BYTES) * total(near);
  }
  return sum;
}

// @ts-ignore: decorator
@inline
function total(v: v128): f64 {
  const even = <f64>f32x4.extract_lane(v, 0) + <f64>f32x4.extract_lane(v, 2);
  return even + (<f64>f32x4.extract_lane(v, 1) + <f64>f32x4.extract_lane(v, 3));
}
