import { solve } from '../geometry/homography.ts';

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
  const n = terms.length;
  let law = [...first];
  for (const scale of scales) {
    const normal = new Float64Array(n * n);
    const right = new Float64Array(n);
    let total = 0;
    for (let i = 0; i < values.length; i++) {
      let [off, unexpected] = [values[i], values[i]];
      for (let a = 0; a < n; a++) {
        off -= law[a] * terms[a][i];
        unexpected -= expected[a] * terms[a][i];
      }
      const likely = 1 + (off / scale) * (off / scale);
      const weight = weights[i] / (likely * likely);
      total += weight;
      for (let a = 0; a < n; a++) {
        const term = weight * terms[a][i];
        right[a] += term * unexpected;
        for (let b = 0; b <= a; b++) normal[n * a + b] += term * terms[b][i];
      }
    }
    for (let a = 0; a < n; a++) {
      for (let b = 0; b < a; b++) normal[n * b + a] = normal[n * a + b];
      normal[(n + 1) * a] += doubts[a] * total + 1e-9;
    }
    const step = solve(normal, right, n);
    if (!step) break;
    law = expected.map((value, a) => value + step[a]);
  }
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
