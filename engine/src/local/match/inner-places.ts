import type { Size } from '../../geometry/frame.ts';
import type { Placement } from './match-pair.ts';

/** Rows and columns of the whole picture; the inner part is all but the outermost. */
const CELLS_PER_SIDE = 5;
/** Largest distance of features that are clearly the same, in bits of 64. */
const MAX_SAME_FEATURE_BITS = 12;

/**
 * In how many of the nine cells of the reference's inner part clearly the same features show. Frames, bars and templates reach
 * three, mostly in one row; what is hidden in part reaches more.
 */
export function innerPlaces({ agreements }: Pick<Placement, 'agreements'>, { width, height }: Size): number {
  const cells = new Set<number>();
  for (const { reference, distance } of agreements) {
    if (distance > MAX_SAME_FEATURE_BITS) continue;
    const [column, row] = [
      Math.floor((CELLS_PER_SIDE * reference[0]) / width),
      Math.floor((CELLS_PER_SIDE * reference[1]) / height),
    ];
    const inside = column > 0 && row > 0 && column < CELLS_PER_SIDE - 1 && row < CELLS_PER_SIDE - 1;
    if (inside) cells.add(CELLS_PER_SIDE * row + column);
  }
  return cells.size;
}
