import { drawn, type Plane, valueAt } from './plane.ts';

/** A pixel beside another one, and what it weighs. */
export interface Tap {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
}

export function convolve(plane: Plane, taps: readonly Tap[]): Plane {
  return drawn(plane.width, plane.height, (x, y) =>
    taps.reduce((sum, tap) => sum + tap.weight * valueAt(plane, x + tap.x, y + tap.y), 0),
  );
}
