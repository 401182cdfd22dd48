import type { Size } from '../../geometry/frame.ts';
import type { Placement } from './match-pair.ts';

/** Rows and columns of the whole picture; the inner part is all but the outermost. */
const GRID = 5;
/** Largest distance of features that are clearly the same, in bits of 64. */
const SAME = 12;

/**
 * In how many of the nine cells of the reference's inner part clearly the same features show. Frames, bars and templates reach
 * three, mostly in one row; what is hidden in part reaches more.
 */
export function innerPlaces({ agreements }: Pick<Placement, 'agreements'>, { width, height }: Size): number {
  const cells = new Set<number>();
  for (const { reference, distance } of agreements) {
    if (distance > SAME) continue;
    const [column, row] = [Math.floor((GRID * reference[0]) / width), Math.floor((GRID * reference[1]) / height)];
    const inside = column > 0 && row > 0 && column < GRID - 1 && row < GRID - 1;
    if (inside) cells.add(GRID * row + column);
  }
  return cells.size;
}
