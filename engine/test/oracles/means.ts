import { drawn, type Plane } from './plane.ts';

/** Twin of assembly/means.ts. */
export function means(plane: Plane, radius: number): Plane {
  const { width, height, values } = plane;
  return drawn(width, height, (x, y) => {
    let [sum, count] = [0, 0];
    for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
      for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) {
        sum += values[v * width + u];
        count++;
      }
    }
    return sum / count;
  });
}
