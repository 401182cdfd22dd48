/** Side of the cells in which agreement is counted, in frame pixels: features on one spot count once. */
const CELL_SIDE_PIXELS = 10;
const CELL_COLUMNS = 53; // 512 / 10, and more for places on or beyond the border

/** Cells in all. */
export const CELL_COUNT = CELL_COLUMNS * CELL_COLUMNS;

/** The number of the cell a place in a frame falls into. */
export function cellOf(x: number, y: number): number {
  return CELL_COLUMNS * Math.floor(y / CELL_SIDE_PIXELS) + Math.floor(x / CELL_SIDE_PIXELS);
}
