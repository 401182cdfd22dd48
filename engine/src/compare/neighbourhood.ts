/** What a pixel's neighbourhood holds, for whole planes. Squares of (2 * radius + 1) pixels, cut at the border. */

/** The mean. */
export function means(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(values.length);
  for (let y = 0; y < height; y++) runningMeans(values, rows, y * width, width, radius);
  return columnMeans(rows, width, height, radius);
}

/** Running sums of all columns side by side, so that memory is walked in order. */
function columnMeans(rows: Float32Array, width: number, height: number, radius: number): Float32Array {
  const out = new Float32Array(rows.length);
  const sums = new Float64Array(width);
  for (let i = 0; i < Math.min(radius, height) * width; i++) sums[i % width] += rows[i];
  for (let y = 0; y < height; y++) {
    const entering = (y + radius) * width;
    const leaving = (y - radius - 1) * width;
    if (y + radius < height) for (let x = 0; x < width; x++) sums[x] += rows[entering + x];
    if (leaving >= 0) for (let x = 0; x < width; x++) sums[x] -= rows[leaving + x];
    const share = 1 / (Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1);
    for (let x = 0; x < width; x++) out[y * width + x] = sums[x] * share;
  }
  return out;
}

function runningMeans(from: Float32Array, to: Float32Array, start: number, n: number, radius: number): void {
  let sum = 0;
  for (let i = 0; i < Math.min(radius, n); i++) sum += from[start + i];
  for (let i = 0; i < n; i++) {
    if (i + radius < n) sum += from[start + i + radius];
    if (i - radius - 1 >= 0) sum -= from[start + i - radius - 1];
    to[start + i] = sum / (Math.min(n - 1, i + radius) - Math.max(0, i - radius) + 1);
  }
}

/** The largest value. */
export function largest(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  return utmost(values, width, height, radius, 1);
}

/** The smallest value. */
export function smallest(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  return utmost(values, width, height, radius, -1);
}

/** The largest (sign 1) or smallest (sign -1), a ring a pass: first along rows, then along columns. */
function utmost(values: Float32Array, width: number, height: number, radius: number, sign: 1 | -1): Float32Array {
  let from = values;
  const rows = new Float32Array(values.length);
  const out = new Float32Array(values.length);
  for (let ring = 0; ring < radius; ring++) {
    for (let y = 0; y < height; y++) {
      const first = y * width;
      const last = first + width - 1;
      for (let i = first; i <= last; i++) {
        let best = sign * from[i];
        if (i > first && sign * from[i - 1] > best) best = sign * from[i - 1];
        if (i < last && sign * from[i + 1] > best) best = sign * from[i + 1];
        rows[i] = best;
      }
    }
    for (let y = 0; y < height; y++) {
      const up = y > 0 ? -width : 0;
      const down = y < height - 1 ? width : 0;
      for (let i = y * width; i < (y + 1) * width; i++) {
        let best = rows[i];
        if (rows[i + up] > best) best = rows[i + up];
        if (rows[i + down] > best) best = rows[i + down];
        out[i] = sign * best;
      }
    }
    from = out;
  }
  return from;
}
