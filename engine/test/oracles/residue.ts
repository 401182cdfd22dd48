import { solve } from '../../src/geometry/homography.ts';
import { type Plane, valueAt } from './plane.ts';

/** What motion, softening and light leave of the difference in a square around a pixel: its mean square, and the variance of the mean. */
export function leftIn(one: Plane, other: Plane, x: number, y: number, radius: number, noise: number, ridge: number) {
  const side = 2 * radius + 1;
  const places = Array.from(
    { length: side * side },
    (_, k) => [x - radius + (k % side), y - radius + Math.floor(k / side)] as const,
  );
  const mean = (u: number, v: number): number => (valueAt(one, u, v) + valueAt(other, u, v)) / 2;
  const off = places.map(([u, v]) => valueAt(one, u, v) - valueAt(other, u, v));
  const means = places.map(([u, v]) => mean(u, v));
  const level = means.reduce((sum, value) => sum + value, 0) / places.length;
  const contrast = means.reduce((sum, value) => sum + value * value, 0) / places.length - level * level;
  const energy = off.reduce((sum, value) => sum + value * value, 0);
  if (energy <= noise * places.length) return [energy / places.length, contrast];
  const causes = places.map(([u, v]) => {
    const [west, east, north, south] = [mean(u - 1, v), mean(u + 1, v), mean(u, v - 1), mean(u, v + 1)];
    return [
      (east - west) / 2,
      (south - north) / 2,
      west + east + north + south - 4 * mean(u, v),
      mean(u, v) - level,
      16,
    ];
  });
  const normal = Float64Array.from({ length: 25 }, (_, k) =>
    causes.reduce(
      (sum, cause) => sum + cause[Math.floor(k / 5)] * cause[k % 5],
      k % 6 === 0 ? ridge * places.length : 0,
    ),
  );
  const right = Float64Array.from({ length: 5 }, (_, a) =>
    causes.reduce((sum, cause, k) => sum + cause[a] * off[k], 0),
  );
  const factors = solve(normal, right.slice(), 5)!;
  const explained = factors.reduce((sum, factor, a) => sum + factor * right[a], 0);
  return [(energy - explained) / places.length, contrast];
}
