/** Number of cells, both values, both squares, the product. */
const SUMS_BYTES: usize = 48;

/**
 * The normalised correlation of two planes over the window around each cell, by a table of sums: F. Crow, "Summed-area tables for
 * texture mapping", SIGGRAPH 1984. Noise that both have in common is added to the variances.
 *
 * @param planes    two planes of w × h float64; cells that are NaN in the second are left out
 * @param radius    windows have 2 radius + 1 cells a side
 * @param share     noise as a share of the variance of the whole
 * @param rounding  noise besides, a square of values
 * @param least     of windows that agree
 * @param table     scratch: 6 (w + 1) (h + 1) float64
 * @param out       w × h float64, NaN for cells that are left out; then as many with one plane inverted
 * @param agreeing  2 uint32: cells that agree, and those that do with one plane inverted
 */
export function correlations(
  planes: usize,
  w: i32,
  h: i32,
  radius: i32,
  share: f64,
  rounding: f64,
  least: f64,
  table: usize,
  out: usize,
  agreeing: usize,
): void {
  const plane = (<usize>(w * h)) << 3;
  addUp(planes, planes + plane, w, h, table);
  const pitch = SUMS_BYTES * <usize>(w + 1);
  const all = table + pitch * <usize>h + SUMS_BYTES * <usize>w;
  const noiseOne = share * variance(load<f64>(all), load<f64>(all, 8), load<f64>(all, 24)) + rounding;
  const noiseOther = share * variance(load<f64>(all), load<f64>(all, 16), load<f64>(all, 32)) + rounding;
  const common = sqrt(noiseOne * noiseOther);
  let plain = 0;
  let inverted = 0;
  for (let y = 0; y < h; y++) {
    const upper = table + pitch * <usize>max(0, y - radius);
    const lower = table + pitch * <usize>min(h, y + radius + 1);
    for (let x = 0; x < w; x++) {
      const at = (<usize>(w * y + x)) << 3;
      const value = load<f64>(planes + plane + at);
      if (value != value) {
        store<f64>(out + at, NaN);
        store<f64>(out + plane + at, NaN);
        continue;
      }
      const left = SUMS_BYTES * <usize>max(0, x - radius);
      const right = SUMS_BYTES * <usize>min(w, x + radius + 1);
      const counted = within(upper, lower, left, right);
      const squares = within(upper + 16, lower + 16, left, right);
      const products = within(upper + 32, lower + 32, left, right);
      const n = f64x2.extract_lane(counted, 0);
      const a = f64x2.extract_lane(counted, 1);
      const b = f64x2.extract_lane(squares, 0);
      const one = variance(n, a, f64x2.extract_lane(squares, 1));
      const other = variance(n, b, f64x2.extract_lane(products, 0));
      const both = f64x2.extract_lane(products, 1) / n - (a / n) * (b / n);
      const scale = sqrt((one + noiseOne) * (other + noiseOther));
      const likeness = (common + both) / scale;
      const contrary = (common - both) / scale;
      store<f64>(out + at, likeness);
      store<f64>(out + plane + at, contrary);
      if (likeness >= least) plain++;
      if (contrary >= least) inverted++;
    }
  }
  store<u32>(agreeing, plain);
  store<u32>(agreeing, inverted, 4);
}

/** Six sums for each corner of a cell, of all cells above and to the left. */
function addUp(one: usize, other: usize, w: i32, h: i32, table: usize): void {
  const pitch = SUMS_BYTES * <usize>(w + 1);
  memory.fill(table, 0, pitch);
  for (let y = 0; y < h; y++) {
    let to = table + pitch * <usize>(y + 1);
    memory.fill(to, 0, SUMS_BYTES);
    let first = f64x2.splat(0);
    let second = f64x2.splat(0);
    let third = f64x2.splat(0);
    for (let x = 0; x < w; x++) {
      const at = (<usize>(w * y + x)) << 3;
      const a = load<f64>(one + at);
      const b = load<f64>(other + at);
      if (b == b) {
        first = f64x2.add(first, pair(1, a));
        second = f64x2.add(second, pair(b, a * a));
        third = f64x2.add(third, pair(b * b, a * b));
      }
      to += SUMS_BYTES;
      v128.store(to, f64x2.add(v128.load(to - pitch), first));
      v128.store(to, f64x2.add(v128.load(to - pitch, 16), second), 16);
      v128.store(to, f64x2.add(v128.load(to - pitch, 32), third), 32);
    }
  }
}

// @ts-ignore: decorator
@inline
function pair(a: f64, b: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(a), 1, b);
}

// @ts-ignore: decorator
@inline
function within(upper: usize, lower: usize, left: usize, right: usize): v128 {
  const bottom = f64x2.sub(v128.load(lower + right), v128.load(upper + right));
  return f64x2.add(f64x2.sub(bottom, v128.load(lower + left)), v128.load(upper + left));
}

// @ts-ignore: decorator
@inline
function variance(n: f64, sum: f64, squares: f64): f64 {
  return max(0, squares / n - (sum / n) * (sum / n));
}
