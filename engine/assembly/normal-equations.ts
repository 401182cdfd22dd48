/** Of a record: ten columns, the last of them what is to be explained, and a weight. */
export const RECORD_BYTES: usize = 112;
const WEIGHT: usize = 80;
const ROW_BYTES: usize = 80;

/**
 * The sums over records of weight times column times column: the normal equations of least squares. Each sum adds up in the
 * order of the records.
 *
 * @param records  n × 14 float64: ten columns and the weight; what follows is left alone
 * @param rows     how many of the columns are multiplied with all ten
 * @param out      rows × 10 float64, rows rounded up to an even number
 */
export function normalEquations(records: usize, n: i32, rows: i32, out: usize): void {
  const end = records + <usize>n * RECORD_BYTES;
  for (let row: usize = 0; row < <usize>rows; row += 2) {
    const column = row << 3;
    let a0 = f64x2.splat(0);
    let a1 = a0;
    let a2 = a0;
    let a3 = a0;
    let a4 = a0;
    let b0 = a0;
    let b1 = a0;
    let b2 = a0;
    let b3 = a0;
    let b4 = a0;
    for (let at = records; at < end; at += RECORD_BYTES) {
      const weight = load<f64>(at + WEIGHT);
      if (weight == 0) continue;
      const a = f64x2.splat(weight * load<f64>(at + column));
      const b = f64x2.splat(weight * load<f64>(at + column, 8));
      const c0 = v128.load(at);
      const c1 = v128.load(at, 16);
      const c2 = v128.load(at, 32);
      const c3 = v128.load(at, 48);
      const c4 = v128.load(at, 64);
      a0 = f64x2.add(a0, f64x2.mul(a, c0));
      a1 = f64x2.add(a1, f64x2.mul(a, c1));
      a2 = f64x2.add(a2, f64x2.mul(a, c2));
      a3 = f64x2.add(a3, f64x2.mul(a, c3));
      a4 = f64x2.add(a4, f64x2.mul(a, c4));
      b0 = f64x2.add(b0, f64x2.mul(b, c0));
      b1 = f64x2.add(b1, f64x2.mul(b, c1));
      b2 = f64x2.add(b2, f64x2.mul(b, c2));
      b3 = f64x2.add(b3, f64x2.mul(b, c3));
      b4 = f64x2.add(b4, f64x2.mul(b, c4));
    }
    const to = out + row * ROW_BYTES;
    store5(to, a0, a1, a2, a3, a4);
    store5(to + ROW_BYTES, b0, b1, b2, b3, b4);
  }
}

// @ts-ignore: decorator
@inline
function store5(to: usize, a: v128, b: v128, c: v128, d: v128, e: v128): void {
  v128.store(to, a);
  v128.store(to, b, 16);
  v128.store(to, c, 32);
  v128.store(to, d, 48);
  v128.store(to, e, 64);
}

/** Places in a record of `weighByLaw`. */
const UNEXPECTED: usize = 72;
const VALUE: usize = 88;
const OWN_WEIGHT: usize = 96;

/**
 * Weighs records by how far they lie from a law, the sum of terms by factors (Cauchy), and writes into the last column what an expected law
 * leaves of their values.
 *
 * @param records  n × 14 float64: up to nine terms, a column and a weight that are written, the value, its own weight
 * @param laws     for each term its factor and the expected one
 * @param scale    distance from which on a record counts less and less
 * @returns the sum of the weights
 */
export function weighByLaw(records: usize, n: i32, terms: i32, laws: usize, scale: f64): f64 {
  let total: f64 = 0;
  for (let at = records; at < records + <usize>n * RECORD_BYTES; at += RECORD_BYTES) {
    let left = v128.load64_splat(at + VALUE);
    for (let term: usize = 0; term < <usize>terms; term++)
      left = f64x2.sub(left, f64x2.mul(v128.load(laws + (term << 4)), v128.load64_splat(at + (term << 3))));
    const off = f64x2.extract_lane(left, 0) / scale;
    const likely = 1 + off * off;
    const weight = load<f64>(at + OWN_WEIGHT) / (likely * likely);
    store<f64>(at + UNEXPECTED, f64x2.extract_lane(left, 1));
    store<f64>(at + WEIGHT, weight);
    total += weight;
  }
  return total;
}
