import { drawn, type Plane, valueAt } from './plane.ts';

/** Twin of assembly/extremes.ts. */
export function extremes(plane: Plane, radius: number, sign: 1 | -1): Plane {
  return drawn(plane.width, plane.height, (x, y) => {
    let best = -Infinity;
    for (let v = y - radius; v <= y + radius; v++) {
      for (let u = x - radius; u <= x + radius; u++) best = Math.max(best, sign * valueAt(plane, u, v));
    }
    return sign * best;
  });
}
