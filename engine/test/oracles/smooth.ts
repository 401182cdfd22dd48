import { drawn, type Plane, valueAt } from './plane.ts';

const BINOMIAL_WEIGHTS = [1, 4, 6, 4, 1];

/** Twin of assembly/smooth.ts. */
export function smooth(plane: Plane): Plane {
  return drawn(plane.width, plane.height, (x, y) => {
    let sum = 0;
    for (let dy = -2; dy <= 2; dy++) {
      for (let dx = -2; dx <= 2; dx++)
        sum += BINOMIAL_WEIGHTS[dy + 2] * BINOMIAL_WEIGHTS[dx + 2] * valueAt(plane, x + dx, y + dy);
    }
    return sum / 256;
  });
}
