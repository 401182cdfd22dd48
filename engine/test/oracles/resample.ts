import { drawn, type Plane, valueAt } from './plane.ts';

/** Twin of assembly/resample.ts. */
export function resample(plane: Plane, width: number, height: number): Plane {
  const columns = Array.from({ length: width }, (_, x) => taps(plane.width, width, x));
  const rows = Array.from({ length: height }, (_, y) => taps(plane.height, height, y));
  return drawn(width, height, (x, y) => {
    let sum = 0;
    for (const row of rows[y]) {
      for (const column of columns[x]) sum += row.weight * column.weight * valueAt(plane, column.index, row.index);
    }
    return sum;
  });
}

/** Which of `from` pixels make pixel `i` of `to`, and with what weights. */
function taps(from: number, to: number, i: number): { index: number; weight: number }[] {
  const step = from / to;
  const radius = Math.max(step, 1);
  const centre = (i + 0.5) * step;
  const near = Array.from({ length: from }, (_, index) => {
    return { index, weight: Math.max(0, 1 - Math.abs(index + 0.5 - centre) / radius) };
  }).filter(({ weight }) => weight > 0);
  const total = near.reduce((sum, { weight }) => sum + weight, 0);
  return near.map(({ index, weight }) => ({ index, weight: weight / total }));
}
