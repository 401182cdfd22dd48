import { type Homography, project } from '../../src/geometry/homography.ts';
import { means } from './means.ts';
import type { Plane } from './plane.ts';

/** Each value less the mean around it, by the deviation there and a floor. */
export function level(plane: Plane, radius: number, floor: number): Float32Array {
  const mean = means(plane, radius).values;
  const centred = plane.values.map((value, i) => value - mean[i]);
  const variance = means({ ...plane, values: centred.map((value) => value * value) }, radius).values;
  return centred.map((value, i) => value / (floor + Math.sqrt(variance[i])));
}

export interface Steep {
  readonly slopes: readonly number[];
  readonly value: number;
  readonly x: number;
  readonly y: number;
}

/** The steepest pixel of each cell. */
export function steepest({ width, height, values }: Plane, cell: number): Steep[] {
  const found: Steep[] = [];
  const half = Math.max(width, height) / 2;
  const slope = (i: number, step: number): number => values[i + step] - values[i - step];
  for (let top = 1; top < height - 1; top += cell) {
    for (let left = 1; left < width - 1; left += cell) {
      let [best, at] = [0.01, -1];
      for (let y = top; y < Math.min(top + cell, height - 1); y++)
        for (let x = left; x < Math.min(left + cell, width - 1); x++) {
          const i = y * width + x;
          const steepness = slope(i, 1) ** 2 + slope(i, width) ** 2;
          if (steepness > best) [best, at] = [steepness, i];
        }
      if (at < 0) continue;
      const [x, y] = [(at % width) + 0.5, Math.floor(at / width) + 0.5];
      const [u, v] = [(x - width / 2) / half, (y - height / 2) / half];
      const [gx, gy] = [(slope(at, 1) / 2) * half, (slope(at, width) / 2) * half];
      const along = gx * u + gy * v;
      found.push({ slopes: [gx * u, gx * v, gx, gy * u, gy * v, gy, -u * along, -v * along], value: values[at], x, y });
    }
  }
  return found;
}

/** Bilinear, with the border pixel repeated. */
export function sampled({ width, height, values }: Plane, u: number, v: number): number {
  const [x, y] = [Math.min(Math.max(u - 0.5, 0), width - 1), Math.min(Math.max(v - 0.5, 0), height - 1)];
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const at = (column: number, row: number): number =>
    values[Math.min(row, height - 1) * width + Math.min(column, width - 1)];
  const mixed = (row: number): number => at(left, row) + (x - left) * (at(left + 1, row) - at(left, row));
  return mixed(top) + (y - top) * (mixed(top + 1) - mixed(top));
}

/** Pixels that the other covers, squares of both values there, and their product. */
export function likeness({ width, height, values }: Plane, other: Plane, map: Homography): number[] {
  const sums = [0, 0, 0, 0];
  for (let i = 0; i < width * height; i++) {
    const [u, v] = project(map, (i % width) + 0.5, Math.floor(i / width) + 0.5);
    if (!(u >= 0 && v >= 0 && u < other.width && v < other.height)) continue;
    const [one, two] = [values[i], sampled(other, u, v)];
    [1, one * one, two * two, one * two].forEach((value, k) => (sums[k] += value));
  }
  return sums;
}
