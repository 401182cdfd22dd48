import type { Point } from '@sosia/engine/geometry/frame';
import { type Homography, project } from '@sosia/engine/geometry/homography';

export function scaling(x: number, y: number): Homography {
  return [x, 0, 0, 0, y, 0, 0, 0, 1];
}

export function moving(x: number, y: number): Homography {
  return [1, 0, x, 0, 1, y, 0, 0, 1];
}

/** A rotation about (0, 0), from +x towards +y. */
export function rotating(radians: number): Homography {
  const [c, s] = [Math.cos(radians), Math.sin(radians)];
  return [c, -s, 0, s, c, 0, 0, 0, 1];
}

/** The smallest upright box around some points. */
export function boundsOf(points: readonly Point[]) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** Where each of the points goes. */
export function projected(homography: Homography, points: readonly Point[]): Point[] {
  return points.map(([x, y]) => project(homography, x, y));
}
