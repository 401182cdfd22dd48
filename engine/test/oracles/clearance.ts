import type { Point } from './peaks.ts';

const FLOAT32_MAX = Math.fround(3.4028234663852886e38);

/** Twin of assembly/clearance.ts, for points in any order. */
export function clearance(points: readonly Point[]): number[] {
  return points.map(({ x, y, response }) => {
    const stronger = points.filter((other) => Math.fround(other.response * Math.fround(0.9)) > response);
    const squares = stronger.map((other) => (other.x - x) * (other.x - x) + (other.y - y) * (other.y - y));
    return Math.min(FLOAT32_MAX, ...squares);
  });
}
