import { type Plane, valueAt } from './plane.ts';

/** A point of a plane; the first pixel's centre is at 0.5. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly response: number;
}

/** Twin of assembly/peaks.ts. */
export function peaks(plane: Plane, margin: number, threshold: number, most: number): Point[] {
  const found: Point[] = [];
  for (let y = margin; y < plane.height - margin; y++) {
    for (let x = margin; x < plane.width - margin; x++) {
      const at = (dx: number, dy: number): number => valueAt(plane, x + dx, y + dy);
      const response = at(0, 0);
      const before = [at(-1, -1), at(0, -1), at(1, -1), at(-1, 0)];
      const after = [at(1, 0), at(-1, 1), at(0, 1), at(1, 1)];
      if (response <= threshold) continue;
      if (!before.every((v) => response > v) || !after.every((v) => response >= v)) continue;
      found.push({
        x: x + 0.5 + parabola(at(-1, 0), response, at(1, 0)),
        y: y + 0.5 + parabola(at(0, -1), response, at(0, 1)),
        response,
      });
    }
  }
  return found.slice(0, most);
}

/** Where the parabola through three values at -1, 0, 1 has its top. */
export function parabola(before: number, at: number, after: number): number {
  const bend = before - 2 * at + after;
  return bend === 0 ? 0 : (before - after) / (2 * bend);
}
