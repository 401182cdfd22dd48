import { drawn, type Plane, valueAt } from './plane.ts';

const BINOMIAL_WEIGHTS = [1, 4, 6, 4, 1];

/** Twin of assembly/corners.ts. */
export function corners(plane: Plane): Plane {
  const { width, height } = plane;
  return drawn(width, height, (x, y) => {
    let [xx, yy, xy] = [0, 0, 0];
    for (let dy = -2; dy <= 2; dy++) {
      for (let dx = -2; dx <= 2; dx++) {
        const weight = (BINOMIAL_WEIGHTS[dx + 2] * BINOMIAL_WEIGHTS[dy + 2]) / 256;
        const [ix, iy] = gradient(plane, x + dx, y + dy);
        xx += weight * ix * ix;
        yy += weight * iy * iy;
        xy += weight * ix * iy;
      }
    }
    const half = (xx - yy) / 2;
    return (xx + yy) / 2 - Math.sqrt(half * half + xy * xy);
  });
}

/** Nothing on the outermost pixels and beyond. */
function gradient(plane: Plane, x: number, y: number): [number, number] {
  if (x < 1 || y < 1 || x >= plane.width - 1 || y >= plane.height - 1) return [0, 0];
  return [valueAt(plane, x + 1, y) - valueAt(plane, x - 1, y), valueAt(plane, x, y + 1) - valueAt(plane, x, y - 1)];
}
