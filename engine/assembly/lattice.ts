/** Bins of a histogram of coefficients for each unit, and the largest coefficient. */
const BINS_PER_UNIT: f32 = 4;
const BIN_COUNT = 1024;
/** Steps of a quantisation that are tried. */
const MIN_STEP = 3;
const MAX_STEP = 40;
/** Fewest coefficients that say something. */
const MIN_COEFFICIENTS: f32 = 60;
const counts = memory.data(4 * 1024, 16);
/** How many coefficients lie in a bin or above it. */
const atLeast = memory.data(4 * 1025, 16);

/**
 * The largest sum of cosines for any step from 3 to 40, in standard deviations of chance: coefficients that are multiples
 * of a step add up. Of each step those coefficients count that are not nearer to 0.
 *
 * @param values  n floats
 * @param table   38 × 1,024 floats, for each step the cosine of each bin
 */
export function latticeStrength(values: usize, n: i32, table: usize): f32 {
  memory.fill(counts, 0, 4 * BIN_COUNT);
  let end: i32 = 0;
  for (let i = 0; i < n; i++) {
    const bin = <i32>nearest<f32>(abs<f32>(load<f32>(values + ((<usize>i) << 2))) * BINS_PER_UNIT);
    if (bin >= BIN_COUNT) continue;
    end = max(end, bin + 1);
    const at = counts + ((<usize>bin) << 2);
    store<f32>(at, load<f32>(at) + 1);
  }
  let above: f32 = 0;
  for (let bin = BIN_COUNT; bin >= 0; bin--) {
    if (bin < BIN_COUNT) above += load<f32>(counts + ((<usize>bin) << 2));
    store<f32>(atLeast + ((<usize>bin) << 2), above);
  }
  const last = ((<usize>end + 3) & ~3) << 2;
  let strongest: f32 = 0;
  for (let step = MIN_STEP; step <= MAX_STEP; step++) {
    const first = (12 * step + 4) / 5; // 0.6 of a step
    const count = load<f32>(atLeast + ((<usize>first) << 2));
    if (count < MIN_COEFFICIENTS) continue;
    const cosines = table + <usize>(step - MIN_STEP) * (4 * BIN_COUNT);
    let at = (<usize>first) << 2;
    let sum: f32 = 0;
    for (; at & 15; at += 4) sum += load<f32>(counts + at) * load<f32>(cosines + at);
    let sums = f32x4.splat(0);
    for (; at < last; at += 16) sums = f32x4.add(sums, f32x4.mul(v128.load(counts + at), v128.load(cosines + at)));
    sum += f32x4.extract_lane(sums, 0) + f32x4.extract_lane(sums, 1) + (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3));
    strongest = max(strongest, sum / sqrt<f32>(count / 2));
  }
  return strongest;
}
