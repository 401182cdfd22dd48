/**
 * Ridge regression in its dual form: as many unknowns as there are samples, not as there are numbers in one. Samples
 * of either class weigh as much together as those of the other.
 *
 * C. Saunders, A. Gammerman, V. Vovk, "Ridge regression learning algorithm in dual variables", ICML 1998.
 */

/**
 * One number a sample: the sum of the chosen rows times these, plus the bias, comes near 1 for the positive ones and
 * -1 for the others.
 * @param kernel  inner products of all pairs of rows, row-major
 * @param chosen  numbers of the rows to learn from
 */
export function fit(
  kernel: Float64Array,
  positive: readonly boolean[],
  chosen: readonly number[],
  ridge: number,
): { alphas: Float64Array; bias: number } {
  const all = positive.length;
  const n = chosen.length;
  const many = chosen.filter((i) => positive[i]).length;
  const weightOf = (i: number): number => n / (2 * (positive[i] ? many : n - many));
  const matrix = new Float64Array(n * n);
  for (let a = 0; a < n; a++) {
    for (let b = 0; b <= a; b++) matrix[a * n + b] = kernel[chosen[a] * all + chosen[b]];
    matrix[a * n + a] += ridge / weightOf(chosen[a]);
  }
  factorise(matrix, n);
  // the bias is free of the ridge: it makes the alphas sum to 0
  const one = solved(matrix, new Float64Array(n).fill(1), n);
  const target = solved(
    matrix,
    Float64Array.from(chosen, (i) => (positive[i] ? 1 : -1)),
    n,
  );
  const bias = total(target) / total(one);
  return { alphas: target.map((value, k) => value - bias * one[k]), bias };
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Cholesky's factor in the lower triangle, in place. */
function factorise(matrix: Float64Array, n: number): void {
  for (let row = 0; row < n; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * n + column];
      for (let k = 0; k < column; k++) sum -= matrix[row * n + k] * matrix[column * n + k];
      matrix[row * n + column] = row === column ? Math.sqrt(sum) : sum / matrix[column * n + column];
    }
  }
}

function solved(factor: Float64Array, right: Float64Array, n: number): Float64Array {
  const out = right.slice();
  for (let row = 0; row < n; row++) {
    for (let k = 0; k < row; k++) out[row] -= factor[row * n + k] * out[k];
    out[row] /= factor[row * n + row];
  }
  for (let row = n - 1; row >= 0; row--) {
    for (let k = row + 1; k < n; k++) out[row] -= factor[k * n + row] * out[k];
    out[row] /= factor[row * n + row];
  }
  return out;
}
