import type { Miniature } from '../../dna/miniature.ts';

/** Cells along each side of a layout, and in all. */
const LAYOUT_SIDE_CELLS = 16;
const LAYOUT_CELLS = LAYOUT_SIDE_CELLS * LAYOUT_SIDE_CELLS;
/** Added to the sum of squares of the cells: a plain picture has no layout. */
const SQUARES_FLOOR = 0.5;

/**
 * A miniature on 16 × 16 cells, whatever its proportions: a stretched copy has the same layout. Cells are differences from the mean of
 * their row, and from that of their column, as vectors of length 1. So strips that hide rows or columns change one of both only.
 */
export interface Layout {
  readonly rows: Float64Array;
  readonly columns: Float64Array;
}

/** How alike two pictures are as wholes. */
export interface Likeness {
  /** Up to 1: the product of both layouts, of the rows or of the columns, whichever is more. */
  readonly likeness: number;
  /** The second one's mirror image is more alike. */
  readonly mirrored: boolean;
}

export function layoutOf(miniature: Miniature): Layout {
  const cells = squared(miniature, new Float64Array(LAYOUT_CELLS));
  const [byRow, byColumn] = lengths(cells);
  const [rows, columns] = [new Float64Array(LAYOUT_CELLS), new Float64Array(LAYOUT_CELLS)];
  for (let i = 0; i < LAYOUT_CELLS; i++) {
    rows[i] = (cells[i] - meanOfRow[i >> 4]) / byRow;
    columns[i] = (cells[i] - meanOfColumn[i & 15]) / byColumn;
  }
  return { rows, columns };
}

/** Compares a miniature with a layout. The layout of the miniature itself is not made: the other one has no means, so the product needs none. */
export function compareLayout(miniature: Miniature, { rows, columns }: Layout): Likeness {
  const cells = squared(miniature, scratch);
  const [byRow, byColumn] = lengths(cells);
  let [rowwise, columnwise, rowwiseMirrored, columnwiseMirrored] = [0, 0, 0, 0];
  for (let i = 0; i < LAYOUT_CELLS; i++) {
    const cell = cells[i];
    rowwise += cell * rows[i];
    columnwise += cell * columns[i];
    rowwiseMirrored += cell * rows[i ^ 15];
    columnwiseMirrored += cell * columns[i ^ 15];
  }
  const plain = Math.max(rowwise / byRow, columnwise / byColumn);
  const mirrored = Math.max(rowwiseMirrored / byRow, columnwiseMirrored / byColumn);
  return mirrored > plain ? { likeness: mirrored, mirrored: true } : { likeness: plain, mirrored: false };
}

const scratch = new Float64Array(LAYOUT_CELLS);
const meanOfRow = new Float64Array(LAYOUT_SIDE_CELLS);
const meanOfColumn = new Float64Array(LAYOUT_SIDE_CELLS);

/** Of the differences from the means of rows, and of columns, which are left in the arrays above. */
function lengths(cells: Float64Array): [byRow: number, byColumn: number] {
  meanOfRow.fill(0);
  meanOfColumn.fill(0);
  let squares = 0;
  for (let i = 0; i < LAYOUT_CELLS; i++) {
    const cell = cells[i];
    squares += cell * cell;
    meanOfRow[i >> 4] += cell;
    meanOfColumn[i & 15] += cell;
  }
  let [byRow, byColumn] = [squares + SQUARES_FLOOR, squares + SQUARES_FLOOR];
  for (let k = 0; k < LAYOUT_SIDE_CELLS; k++) {
    byRow -= (meanOfRow[k] * meanOfRow[k]) / LAYOUT_SIDE_CELLS;
    byColumn -= (meanOfColumn[k] * meanOfColumn[k]) / LAYOUT_SIDE_CELLS;
    meanOfRow[k] /= LAYOUT_SIDE_CELLS;
    meanOfColumn[k] /= LAYOUT_SIDE_CELLS;
  }
  return [Math.sqrt(byRow), Math.sqrt(byColumn)];
}

/** Where each of 16 spans of so many cells begins, by the number of cells; a miniature has 48 at most. */
const spans = Array.from({ length: 49 }, (_, cells) =>
  Uint8Array.from({ length: LAYOUT_SIDE_CELLS + 1 }, (_, i) => Math.floor((i * cells) / LAYOUT_SIDE_CELLS)),
);

/** Writes the means of the cells that each of 16 × 16 covers, one at least. */
function squared({ width, height, packed }: Miniature, into: Float64Array): Float64Array {
  const [across, down] = [spans[width], spans[height]];
  for (let row = 0; row < LAYOUT_SIDE_CELLS; row++) {
    const top = down[row];
    const bottom = Math.max(top + 1, down[row + 1]);
    for (let column = 0; column < LAYOUT_SIDE_CELLS; column++) {
      const left = across[column];
      const right = Math.max(left + 1, across[column + 1]);
      let sum = 0;
      for (let y = top; y < bottom; y++)
        for (let i = width * y + left; i < width * y + right; i++) sum += (packed[i >> 1] >> ((i & 1) << 2)) & 15;
      into[LAYOUT_SIDE_CELLS * row + column] = sum / ((right - left) * (bottom - top));
    }
  }
  return into;
}
