/** Side of the cells in which agreement is counted, in frame pixels: features on one spot count once. */
const CELL = 10;
const COLUMNS = 53; // 512 / 10, and more for places on or beyond the border

/** Cells in all. */
export const CELLS = COLUMNS * COLUMNS;

/** The number of the cell a place in a frame falls into. */
export function cellOf(x: number, y: number): number {
  return COLUMNS * Math.floor(y / CELL) + Math.floor(x / CELL);
}
