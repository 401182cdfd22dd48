import type { Point } from '../../geometry/frame.ts';
import { type Homography, project } from '../../geometry/homography.ts';

/**
 * How much more a map shrinks one direction than another at a place: the ratio of the singular values of its derivative.
 * 1 for a similarity, Infinity where the map folds.
 */
export function foreshortening(map: Homography, [x, y]: Point): number {
  const [u, v] = project(map, x, y);
  const w = map[6] * x + map[7] * y + map[8];
  const [a, b] = [(map[0] - u * map[6]) / w, (map[1] - u * map[7]) / w];
  const [c, d] = [(map[3] - v * map[6]) / w, (map[4] - v * map[7]) / w];
  const mean = (a * a + b * b + c * c + d * d) / (2 * Math.abs(a * d - b * c));
  return mean < Infinity ? mean + Math.sqrt(Math.max(0, mean * mean - 1)) : Infinity;
}
