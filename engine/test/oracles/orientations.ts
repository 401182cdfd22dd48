import { parabola } from './peaks.ts';
import { type Plane, valueAt } from './plane.ts';

const DIRECTION_BINS = 36;

/**
 * Twin of assembly/orientations.ts, for one point.
 * @returns one or two directions as shares of a circle, the stronger first
 */
export function orientations(plane: Plane, x: number, y: number, radius: number, second: number): number[] {
  const sums = smoothed(smoothed(smoothed(histogram(plane, x, y, radius))));
  const ring = (b: number): number => sums[(b + DIRECTION_BINS) % DIRECTION_BINS];
  const best = sums.indexOf(Math.max(...sums));
  const others = sums
    .map((sum, bin) => ({ sum, bin }))
    .filter(({ bin }) => bin !== best)
    .filter(({ sum, bin }) => sum > second * sums[best] && sum > ring(bin - 1) && sum >= ring(bin + 1))
    .sort((a, b) => b.sum - a.sum);
  return [best, ...others.slice(0, 1).map(({ bin }) => bin)].map((bin) => {
    const angle = (bin + parabola(ring(bin - 1), ring(bin), ring(bin + 1))) / DIRECTION_BINS;
    return angle < 0 ? angle + 1 : angle;
  });
}

function histogram(plane: Plane, px: number, py: number, radius: number): number[] {
  const sums = new Array<number>(DIRECTION_BINS).fill(0);
  const limit = radius * radius + 1;
  for (let y = 1; y < plane.height - 1; y++) {
    for (let x = 1; x < plane.width - 1; x++) {
      const [dx, dy] = [x + 0.5 - px, y + 0.5 - py];
      const far = dx * dx + dy * dy;
      if (far >= limit) continue;
      const ix = valueAt(plane, x + 1, y) - valueAt(plane, x - 1, y);
      const iy = valueAt(plane, x, y + 1) - valueAt(plane, x, y - 1);
      const weight = Math.sqrt(ix * ix + iy * iy) * (1 - far / limit);
      const place = DIRECTION_BINS * angleOf(iy, ix);
      const bin = Math.floor(place);
      sums[bin % DIRECTION_BINS] += weight * (1 - (place - bin));
      sums[(bin + 1) % DIRECTION_BINS] += weight * (place - bin);
    }
  }
  return sums;
}

function smoothed(sums: readonly number[]): number[] {
  return sums.map(
    (sum, b) => (sums[(b + DIRECTION_BINS - 1) % DIRECTION_BINS] + 2 * sum + sums[(b + 1) % DIRECTION_BINS]) / 4,
  );
}

/** The angle of (x, y) as a share of a circle, in [0, 1). */
export function angleOf(y: number, x: number): number {
  const angle = Math.atan2(y, x) / (2 * Math.PI);
  return angle < 0 ? angle + 1 : angle;
}
