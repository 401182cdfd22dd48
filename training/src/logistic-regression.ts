/** A vector of numbers with its class and its weight. */
export interface Example {
  readonly vector: readonly number[];
  readonly positive: boolean;
  readonly weight: number;
}

/** Newton's method converges in fewer steps. */
const NEWTON_STEPS = 25;
/** Least variance of a class, so that a step stays finite where every example is sure. */
const MIN_VARIANCE = 1e-6;
/** Taken of the constant in place of the penalty. */
const CONSTANT_PENALTY = 1e-9;

/**
 * The weights of a logistic regression, the constant first; by Newton's method.
 * @param ridge  of all weights but the constant, for numbers whose deviation is 1
 */
export function logisticRegression(examples: readonly Example[], ridge: number): number[] {
  const size = examples[0].vector.length + 1;
  const [means, deviations] = spread(examples);
  const rows = examples.map(({ vector }) =>
    Float64Array.from([1, ...vector.map((value, k) => (value - means[k]) / deviations[k])]),
  );
  const weights = new Float64Array(size);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const gradient = weights.map((weight, k) => (k > 0 ? -ridge * weight : 0));
    const hessian = Array.from({ length: size }, (_, k) => new Float64Array(k + 1));
    hessian.forEach((row, k) => (row[k] = k > 0 ? ridge : CONSTANT_PENALTY));
    for (const [i, x] of rows.entries()) {
      const { positive, weight } = examples[i];
      const p = 1 / (1 + Math.exp(-x.reduce((sum, value, k) => sum + value * weights[k], 0)));
      const variance = weight * Math.max(MIN_VARIANCE, p * (1 - p));
      for (let k = 0; k < size; k++) {
        gradient[k] += weight * (Number(positive) - p) * x[k];
        const [row, scaled] = [hessian[k], variance * x[k]];
        for (let j = 0; j <= k; j++) row[j] += scaled * x[j];
      }
    }
    solved(hessian, gradient).forEach((change, k) => (weights[k] += change));
  }
  const [constant, ...scaled] = weights;
  const plain = scaled.map((weight, k) => weight / deviations[k]);
  return [plain.reduce((sum, weight, k) => sum - weight * means[k], constant), ...plain];
}

/** Means and standard deviations. */
function spread(examples: readonly Example[]): [means: number[], deviations: number[]] {
  const n = examples.length;
  const means = examples[0].vector.map((_, k) => examples.reduce((sum, { vector }) => sum + vector[k], 0) / n);
  const variances = means.map((mean, k) => examples.reduce((sum, { vector }) => sum + (vector[k] - mean) ** 2, 0) / n);
  return [means, variances.map((variance) => Math.sqrt(variance) + 1e-9)];
}

/** Solves a symmetric positive system by Cholesky's method, in place. @param rows  its lower half */
function solved(rows: readonly Float64Array[], right: Float64Array): Float64Array {
  for (const [k, row] of rows.entries()) {
    for (let j = 0; j <= k; j++) {
      let value = row[j];
      for (let m = 0; m < j; m++) value -= row[m] * rows[j][m];
      row[j] = j < k ? value / rows[j][j] : Math.sqrt(value);
    }
    for (let m = 0; m < k; m++) right[k] -= row[m] * right[m];
    right[k] /= row[k];
  }
  for (let k = rows.length - 1; k >= 0; k--) {
    for (let m = k + 1; m < rows.length; m++) right[k] -= rows[m][k] * right[m];
    right[k] /= rows[k][k];
  }
  return right;
}
