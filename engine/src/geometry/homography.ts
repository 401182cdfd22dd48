/** Nine numbers, row-major, the last 1: (x, y, 1) of the reference to (x', y', w') of the query, both in frame pixels. */
export type Homography = readonly number[];

/** Correspondences to fit to: the reference's point, the query's point and a weight, all in step. */
export interface Pairs {
  readonly rx: ArrayLike<number>;
  readonly ry: ArrayLike<number>;
  readonly qx: ArrayLike<number>;
  readonly qy: ArrayLike<number>;
}

export function project(h: Homography, x: number, y: number): [number, number] {
  const w = h[6] * x + h[7] * y + h[8];
  return [(h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w];
}

/** The inverse, scaled so that its last number is 1; undefined where there is none. */
export function inverse(h: Homography): Homography | undefined {
  const [a, b, c, d, e, f, g, i, j] = h;
  const adjugate = [
    e * j - f * i,
    c * i - b * j,
    b * f - c * e,
    f * g - d * j,
    a * j - c * g,
    c * d - a * f,
    d * i - e * g,
    b * g - a * i,
    a * e - b * d,
  ];
  const last = adjugate[8];
  if (Math.abs(last) < 1e-12) return undefined;
  return adjugate.map((value) => value / last);
}

export function compose(after: Homography, before: Homography): Homography {
  const product = Array.from({ length: 9 }, (_, k) => {
    const row = 3 * Math.floor(k / 3);
    const column = k % 3;
    return after[row] * before[column] + after[row + 1] * before[column + 3] + after[row + 2] * before[column + 6];
  });
  return product.map((value) => value / product[8]);
}

/**
 * The affine map that fits best in the least squares sense.
 * @returns undefined where the points lie on a line
 */
export function fitAffine(pairs: Pairs, weights: ArrayLike<number>): Homography | undefined {
  const at = normaliser(pairs.rx, pairs.ry, weights);
  const normal = new Float64Array(9);
  const right = [new Float64Array(3), new Float64Array(3)];
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue;
    const row = [(pairs.rx[i] - at.x) * at.scale, (pairs.ry[i] - at.y) * at.scale, 1];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) normal[3 * r + c] += weights[i] * row[r] * row[c];
      right[0][r] += weights[i] * row[r] * pairs.qx[i];
      right[1][r] += weights[i] * row[r] * pairs.qy[i];
    }
  }
  const u = solve(normal.slice(), right[0], 3);
  const v = solve(normal, right[1], 3);
  if (!u || !v) return undefined;
  const unshift = (p: Float64Array): [number, number, number] => [
    p[0] * at.scale,
    p[1] * at.scale,
    p[2] - (p[0] * at.x + p[1] * at.y) * at.scale,
  ];
  return [...unshift(u), ...unshift(v), 0, 0, 1];
}

/**
 * The homography that fits best: the direct linear transform on normalised points with the last number fixed, by
 * weighted least squares. R. Hartley, A. Zisserman, "Multiple view geometry", 2nd edition, 2004, sections 4.1 and 4.4.
 * @param near  a homography close to it, whose denominators make algebraic distances geometric
 * @returns undefined where the points do not determine one
 */
export function fitHomography(pairs: Pairs, weights: ArrayLike<number>, near: Homography): Homography | undefined {
  const r = normaliser(pairs.rx, pairs.ry, weights);
  const q = normaliser(pairs.qx, pairs.qy, weights);
  // the rows of the equations of u and v are [x y 1 0 0 0 -ux -uy] and [0 0 0 x y 1 -vx -vy]: products with a 0 are left out
  const own = new Float64Array(6); // of x, y, 1 among themselves, for u and v alike
  const cross = [new Float64Array(6), new Float64Array(6)];
  const last = new Float64Array(3);
  const right = new Float64Array(8);
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue;
    const denominator = near[6] * pairs.rx[i] + near[7] * pairs.ry[i] + 1;
    const weight = weights[i] / (denominator * denominator);
    const x = (pairs.rx[i] - r.x) * r.scale;
    const y = (pairs.ry[i] - r.y) * r.scale;
    const wx = weight * x;
    const wy = weight * y;
    own[0] += wx * x;
    own[1] += wx * y;
    own[2] += wx;
    own[3] += wy * y;
    own[4] += wy;
    own[5] += weight;
    for (let k = 0; k < 2; k++) {
      const value = k === 0 ? (pairs.qx[i] - q.x) * q.scale : (pairs.qy[i] - q.y) * q.scale;
      const [vx, vy] = [-value * x, -value * y];
      const sums = cross[k];
      sums[0] += wx * vx;
      sums[1] += wx * vy;
      sums[2] += wy * vx;
      sums[3] += wy * vy;
      sums[4] += weight * vx;
      sums[5] += weight * vy;
      last[0] += weight * vx * vx;
      last[1] += weight * vx * vy;
      last[2] += weight * vy * vy;
      right[3 * k] += wx * value;
      right[3 * k + 1] += wy * value;
      right[3 * k + 2] += weight * value;
      right[6] += weight * vx * value;
      right[7] += weight * vy * value;
    }
  }
  const [xx, xy, x1, yy, y1, n] = own;
  const [[a, b, c, d, e, f], [g, j, k, l, m, o]] = cross;
  const [s, t, z] = last;
  // prettier-ignore
  const normal = Float64Array.of(
    xx, xy, x1, 0, 0, 0, a, b,
    xy, yy, y1, 0, 0, 0, c, d,
    x1, y1, n, 0, 0, 0, e, f,
    0, 0, 0, xx, xy, x1, g, j,
    0, 0, 0, xy, yy, y1, k, l,
    0, 0, 0, x1, y1, n, m, o,
    a, c, e, g, k, m, s, t,
    b, d, f, j, l, o, t, z,
  );
  const h = solve(normal, right, 8);
  if (!h) return undefined;
  const toNormal = [r.scale, 0, -r.x * r.scale, 0, r.scale, -r.y * r.scale, 0, 0, 1];
  const fromNormal = [1 / q.scale, 0, q.x, 0, 1 / q.scale, q.y, 0, 0, 1];
  const whole = compose(fromNormal, compose([...h, 1], toNormal));
  return whole.every(Number.isFinite) ? whole : undefined;
}

/** Centre of the weighted points and the factor that brings their mean distance from it to √2. */
function normaliser(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights: ArrayLike<number>,
): { x: number; y: number; scale: number } {
  let [total, sx, sy] = [0, 0, 0];
  for (let i = 0; i < weights.length; i++) {
    total += weights[i];
    sx += weights[i] * x[i];
    sy += weights[i] * y[i];
  }
  const [cx, cy] = [sx / total, sy / total];
  let far = 0;
  for (let i = 0; i < weights.length; i++) {
    const [dx, dy] = [x[i] - cx, y[i] - cy];
    far += weights[i] * Math.sqrt(dx * dx + dy * dy);
  }
  return { x: cx, y: cy, scale: far > 0 ? (Math.SQRT2 * total) / far : 1 };
}

/** Gaussian elimination with partial pivoting; destroys its arguments. @returns undefined for a singular matrix */
export function solve(matrix: Float64Array, right: Float64Array, n: number): Float64Array | undefined {
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let row = column + 1; row < n; row++) {
      if (Math.abs(matrix[n * row + column]) > Math.abs(matrix[n * pivot + column])) pivot = row;
    }
    const head = matrix[n * pivot + column];
    if (!(Math.abs(head) > 1e-10)) return undefined;
    if (pivot !== column) {
      for (let k = 0; k < n; k++) {
        [matrix[n * pivot + k], matrix[n * column + k]] = [matrix[n * column + k], matrix[n * pivot + k]];
      }
      [right[pivot], right[column]] = [right[column], right[pivot]];
    }
    for (let row = column + 1; row < n; row++) {
      const factor = matrix[n * row + column] / head;
      if (factor === 0) continue;
      for (let k = column; k < n; k++) matrix[n * row + k] -= factor * matrix[n * column + k];
      right[row] -= factor * right[column];
    }
  }
  const out = new Float64Array(n);
  for (let row = n - 1; row >= 0; row--) {
    let value = right[row];
    for (let k = row + 1; k < n; k++) value -= matrix[n * row + k] * out[k];
    out[row] = value / matrix[n * row + row];
  }
  return out;
}
