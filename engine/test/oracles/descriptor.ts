import { cosines, sine } from '../../src/geometry/angle.ts';
import { angleOf } from './orientations.ts';
import { drawn, type Plane, valueAt } from './plane.ts';

/** exp(-((i - 7.5) / 8)² / 2) for i = 0 … 15 */
export const BELL_WEIGHTS = [
  0.644389, 0.718868, 0.789522, 0.853676, 0.908734, 0.952345, 0.982575, 0.998049, 0.998049, 0.982575, 0.952345,
  0.908734, 0.853676, 0.789522, 0.718868, 0.644389,
];

/**
 * Twin of assembly/descriptor.ts, for one keypoint.
 * @param angle  in 1/256 of a circle
 * @returns 128 numbers, [row][column][direction]
 */
export function describe(plane: Plane, x: number, y: number, angle: number, spacing: number): number[] {
  const patch = drawn(18, 18, (column, row) => {
    const [u, v] = [(column - 8.5) * spacing, (row - 8.5) * spacing];
    return between(plane, x + u * cosines[angle] - v * sine(angle), y + u * sine(angle) + v * cosines[angle]);
  });
  const sums = new Array<number>(128).fill(0);
  for (let row = 0; row < 16; row++) {
    for (let column = 0; column < 16; column++) {
      const ix = valueAt(patch, column + 2, row + 1) - valueAt(patch, column, row + 1);
      const iy = valueAt(patch, column + 1, row + 2) - valueAt(patch, column + 1, row);
      const weight = BELL_WEIGHTS[row] * BELL_WEIGHTS[column] * Math.sqrt(ix * ix + iy * iy);
      for (const part of shares((row + 0.5) / 4 - 0.5, (column + 0.5) / 4 - 0.5, 8 * angleOf(iy, ix))) {
        sums[part.entry] += weight * part.share;
      }
    }
  }
  return normalised(sums);
}

/** The kernel stops this far before the last pixel's centre, where four pixels are still at hand. */
const BORDER_GAP_PIXELS = 0.001;

/** Between the four pixels around a place, whose centres lie at one half; beyond the border the nearest place. */
function between(plane: Plane, x: number, y: number): number {
  const px = Math.min(Math.max(x - 0.5, 0), plane.width - 1 - BORDER_GAP_PIXELS);
  const py = Math.min(Math.max(y - 0.5, 0), plane.height - 1 - BORDER_GAP_PIXELS);
  const [left, top] = [Math.floor(px), Math.floor(py)];
  const [a, b] = [px - left, py - top];
  const upper = (1 - a) * valueAt(plane, left, top) + a * valueAt(plane, left + 1, top);
  const lower = (1 - a) * valueAt(plane, left, top + 1) + a * valueAt(plane, left + 1, top + 1);
  return (1 - b) * upper + b * lower;
}

/** How a gradient is shared among the two rows, columns and directions around it; what falls outside is lost. */
function shares(row: number, column: number, direction: number): { entry: number; share: number }[] {
  const parts: { entry: number; share: number }[] = [];
  for (const [r, ofRow] of neighbours(row)) {
    for (const [c, ofColumn] of neighbours(column)) {
      if (r < 0 || r > 3 || c < 0 || c > 3) continue;
      for (const [d, ofDirection] of neighbours(direction)) {
        parts.push({ entry: 32 * r + 8 * c + (d % 8), share: ofRow * ofColumn * ofDirection });
      }
    }
  }
  return parts;
}

function neighbours(place: number): [number, number][] {
  const below = Math.floor(place);
  return [
    [below, 1 - (place - below)],
    [below + 1, place - below],
  ];
}

/** Unit length, no entry above 0.2 of it, then the square root of each entry's share of the sum. */
function normalised(sums: readonly number[]): number[] {
  const length = Math.sqrt(sums.reduce((total, v) => total + v * v, 0));
  if (length === 0) return [...sums];
  const cut = sums.map((v) => Math.min(v, 0.2 * length));
  const total = cut.reduce((sum, v) => sum + v, 0);
  return cut.map((v) => Math.sqrt(v / total));
}
