/** Square and rectangular matrices, row by row. */
export type Matrix = readonly (readonly number[])[];

export interface Eigen {
  readonly value: number;
  readonly vector: readonly number[];
}

/** Eigenvalues and vectors of a symmetric matrix by Jacobi rotations, largest first. */
export function eigen(matrix: Matrix): Eigen[] {
  const size = matrix.length;
  const a = matrix.map((row) => row.slice());
  const v = a.map((_, i) => a.map((_, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        off += a[p][q] * a[p][q];
        if (Math.abs(a[p][q]) < 1e-18) continue;
        const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        rotateColumns(a, p, q, c, s);
        for (let k = 0; k < size; k++) {
          const [x, y] = [a[p][k], a[q][k]];
          a[p][k] = c * x - s * y;
          a[q][k] = s * x + c * y;
        }
        rotateColumns(v, p, q, c, s);
      }
    }
    if (off < 1e-20) break;
  }
  return a.map((_, i) => ({ value: a[i][i], vector: v.map((row) => row[i]) })).sort((x, y) => y.value - x.value);
}

function rotateColumns(rows: number[][], p: number, q: number, c: number, s: number): void {
  for (const row of rows) {
    const [x, y] = [row[p], row[q]];
    row[p] = c * x - s * y;
    row[q] = s * x + c * y;
  }
}

/** The mean of the products of all pairs of numbers of vectors, whose mean is taken to be 0. */
export function covarianceOf(vectors: readonly ArrayLike<number>[]): number[][] {
  const size = vectors[0].length;
  const covariance = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const vector of vectors) {
    for (let k = 0; k < size; k++)
      for (let l = 0; l <= k; l++) covariance[k][l] += (vector[k] * vector[l]) / vectors.length;
  }
  for (let k = 0; k < size; k++) for (let l = 0; l < k; l++) covariance[l][k] = covariance[k][l];
  return covariance;
}

/** A function of a symmetric matrix: of its eigenvalues. */
export function functionOf(matrix: Matrix, of: (eigenvalue: number) => number): number[][] {
  const parts = eigen(matrix);
  return matrix.map((row, k) =>
    row.map((_, l) => parts.reduce((sum, { value, vector }) => sum + of(value) * vector[k] * vector[l], 0)),
  );
}

export function product(a: Matrix, b: Matrix): number[][] {
  return a.map((row) => b[0].map((_, l) => row.reduce((sum, x, k) => sum + x * b[k][l], 0)));
}
