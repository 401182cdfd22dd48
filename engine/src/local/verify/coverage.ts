import { keypointsOf } from '../../dna/local.ts';
import type { Point, Size } from '../../geometry/frame.ts';
import { type Homography, project } from '../../geometry/homography.ts';
import type { Sketch } from './guided-matching.ts';

/** Cells a side. */
const CELLS = 8;

/**
 * Of the cells of a reference that hold features which should show in the query, the share in which one was found. What
 * two pictures have in common by their maker, a logo or lettering, covers few of them, however surely it was found.
 * @param found  where features of the reference were found, in pixels of its frame
 * @returns 0 where none should show
 */
export function coverage(
  found: readonly Point[],
  sketch: Sketch,
  map: Homography,
  reference: Size,
  query: Size,
): number {
  const cellOf = (x: number, y: number): number => {
    const [column, row] = [(CELLS * x) / reference.width, (CELLS * y) / reference.height];
    return CELLS * Math.min(CELLS - 1, Math.floor(row)) + Math.min(CELLS - 1, Math.floor(column));
  };
  const { x, y } = keypointsOf(sketch);
  const showing = new Set<number>();
  for (let i = 0; i < sketch.count; i++) {
    const [u, v] = project(map, x[i], y[i]);
    if (u >= 0 && v >= 0 && u <= query.width && v <= query.height) showing.add(cellOf(x[i], y[i]));
  }
  const covered = new Set(found.map(([px, py]) => cellOf(px, py)));
  return showing.size > 0 ? covered.size / showing.size : 0;
}
