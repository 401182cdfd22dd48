/** Eigenvalues and vectors of a symmetric matrix by Jacobi rotations, largest first. */
export function eigen(matrix) {
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
        for (let k = 0; k < size; k++) {
          const [x, y] = [a[k][p], a[k][q]];
          a[k][p] = c * x - s * y;
          a[k][q] = s * x + c * y;
        }
        for (let k = 0; k < size; k++) {
          const [x, y] = [a[p][k], a[q][k]];
          a[p][k] = c * x - s * y;
          a[q][k] = s * x + c * y;
        }
        for (let k = 0; k < size; k++) {
          const [x, y] = [v[k][p], v[k][q]];
          v[k][p] = c * x - s * y;
          v[k][q] = s * x + c * y;
        }
      }
    }
    if (off < 1e-20) break;
  }
  return a.map((_, i) => ({ value: a[i][i], vector: v.map((row) => row[i]) })).sort((x, y) => y.value - x.value);
}
