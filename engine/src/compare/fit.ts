import { solve } from '../geometry/homography.ts';
import { commonWorkspace } from '../kernels/workspace.ts';

/** Numbers of a record of the normal equations, and the places of what is to be explained, the value and its weight. */
const RECORD = { numbers: 14, unexpected: 9, value: 11, weight: 12 };

/** The samples that a law is fitted to: values, and the terms that they may depend on. */
export interface Observations {
  readonly values: Float32Array;
  /** One array a term of the law, each about as large as 1 at most. */
  readonly terms: readonly Float32Array[];
  /** How much each sample counts. */
  readonly weights: Float32Array;
}

/**
 * The sum of terms that is closest to the values where most of them agree: least squares, reweighted (Cauchy).
 * @param expected  a number a term, where the samples do not determine one
 * @param doubts    how much it costs to depart from that, as a share of the samples
 * @param scales    in units of the values, one a round; what lies further from the law counts less and less
 * @param first     the law from which the weights of the first round follow
 */
export function fitted(
  { values, terms, weights }: Observations,
  expected: readonly number[],
  doubts: readonly number[],
  scales: readonly number[],
  first = expected,
): number[] {
  const space = commonWorkspace();
  const mark = space.mark();
  const [n, count] = [terms.length, values.length];
  const { numbers } = RECORD;
  const [at, laws, sums] = [space.take(8 * numbers * count), space.take(16 * n), space.take(80 * n)];
  const records = space.doubles(at, numbers * count).fill(0);
  terms.forEach((term, a) => {
    for (let i = 0; i < count; i++) records[numbers * i + a] = term[i];
  });
  for (let i = 0; i < count; i++) {
    records[numbers * i + RECORD.value] = values[i];
    records[numbers * i + RECORD.weight] = weights[i];
  }
  let law = [...first];
  for (const scale of scales) {
    space.doubles(laws, 2 * n).set(expected.flatMap((value, a) => [law[a], value]));
    const total = space.kernels.weighByLaw(at, count, n, laws, scale);
    space.kernels.normalEquations(at, count, n, sums);
    const all = space.doubles(sums, 10 * n);
    const normal = new Float64Array(n * n);
    for (let a = 0; a < n; a++) {
      for (let b = 0; b < n; b++) normal[n * a + b] = all[10 * Math.max(a, b) + Math.min(a, b)];
      normal[(n + 1) * a] += doubts[a] * total + 1e-9;
    }
    const right = Float64Array.from({ length: n }, (_, a) => all[10 * a + RECORD.unexpected]);
    const step = solve(normal, right, n);
    if (!step) break;
    law = expected.map((value, a) => value + step[a]);
  }
  space.release(mark);
  return law;
}

/** The share of the samples, by weight, that the law explains within so much. */
export function agreeing({ values, terms, weights }: Observations, law: readonly number[], within: number): number {
  let [agree, total] = [0, 1e-9];
  for (let i = 0; i < values.length; i++) {
    let off = values[i];
    for (let a = 0; a < terms.length; a++) off -= law[a] * terms[a][i];
    total += weights[i];
    if (Math.abs(off) <= within) agree += weights[i];
  }
  return agree / total;
}
