/** Of a record: ten columns, the last of them what is to be explained, and a weight. */
export const RECORD_BYTES: usize = 112;
/** Place of the weight. */
export const WEIGHT: usize = 80;
/** Of a row of sums. */
export const ROW_BYTES: usize = 80;

/**
 * The sums over records of weight times column times column: the normal equations of least squares. Each sum adds up in the
 * order of the records.
 *
 * @param records  n × 14 float64: ten columns and the weight; what follows is left alone
 * @param rows     how many of the columns are multiplied with all ten
 * @param out      rows × 10 float64
 */
export function normalEquations(records: usize, n: i32, rows: i32, out: usize): void {
  const end = records + <usize>n * RECORD_BYTES;
  for (let row: usize = 0; row < <usize>rows; row++, out += ROW_BYTES) {
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    let e = a;
    for (let at = records; at < end; at += RECORD_BYTES) {
      const weight = load<f64>(at, WEIGHT);
      if (weight == 0) continue;
      const term = f64x2.splat(weight * load<f64>(at + (row << 3)));
      a = f64x2.add(a, f64x2.mul(term, v128.load(at)));
      b = f64x2.add(b, f64x2.mul(term, v128.load(at, 16)));
      c = f64x2.add(c, f64x2.mul(term, v128.load(at, 32)));
      d = f64x2.add(d, f64x2.mul(term, v128.load(at, 48)));
      e = f64x2.add(e, f64x2.mul(term, v128.load(at, 64)));
    }
    v128.store(out, a);
    v128.store(out, b, 16);
    v128.store(out, c, 32);
    v128.store(out, d, 48);
    v128.store(out, e, 64);
  }
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
