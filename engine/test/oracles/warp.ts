import { type Homography, project } from '../../src/geometry/homography.ts';
import { type Plane, valueAt } from './plane.ts';

/** Twin of assembly/warp.ts, for one plane and one pixel of the grid; undefined where the picture does not reach. */
export function warp(plane: Plane, map: Homography, column: number, row: number): number | undefined {
  const [px, py] = [column + 0.5, row + 0.5];
  const [u, v] = project(map, px, py);
  const before = map[6] * px + map[7] * py + map[8] > 0;
  if (!(before && u >= 0 && v >= 0 && u <= plane.width && v <= plane.height)) return undefined;
  const x = Math.min(Math.max(u - 0.5, 0), plane.width - 1);
  const y = Math.min(Math.max(v - 0.5, 0), plane.height - 1);
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const mix = (a: number, b: number, share: number): number => (1 - share) * a + share * b;
  const line = (below: number): number =>
    mix(valueAt(plane, left, top + below), valueAt(plane, left + 1, top + below), x - left);
  return mix(line(0), line(1), y - top);
}
