/** Ten columns and a weight. */
export interface LeastSquaresRecord {
  readonly columns: readonly number[];
  readonly weight: number;
}

/** Weight times column times column, summed over records: `rows` times ten numbers. */
export function sumsOf(records: readonly LeastSquaresRecord[], rows: number): number[] {
  const sums = Array<number>(10 * rows).fill(0);
  for (const { columns, weight } of records) {
    if (weight === 0) continue;
    for (let i = 0; i < sums.length; i++) sums[i] += weight * columns[Math.floor(i / 10)] * columns[i % 10];
  }
  return sums;
}

/** The weight of a sample by its distance from a law (Cauchy), and what the expected law leaves of its value. */
export function byLaw(
  sample: { readonly terms: readonly number[]; readonly value: number; readonly weight: number },
  law: readonly number[],
  expected: readonly number[],
  scale: number,
): { weight: number; unexpected: number } {
  const left = (factors: readonly number[]): number =>
    sample.terms.reduce((rest, term, a) => rest - factors[a] * term, sample.value);
  const likely = 1 + (left(law) / scale) ** 2;
  return { weight: sample.weight / (likely * likely), unexpected: left(expected) };
}
