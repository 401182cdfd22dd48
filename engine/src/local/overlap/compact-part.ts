import type { Size } from '../../geometry/frame.ts';

/** Least correlation of the windows of a part that agrees closely. */
const MIN_CORRELATION = 0.7;
/** Least cells along the shorter side: lines of letters are narrower. */
const MIN_SIDE_CELLS = 4;
/** A cell whose neighbourhood of 3 x 3 spans so many values has texture; a part has at least so many such cells. */
const TEXTURE = { minSpan: 3, minCells: 6 };

/** Two planes of cells and what they have in common, see the kernels `correlations` and `tone`. */
export interface Compared extends Size {
  readonly one: Float64Array;
  readonly other: Float64Array;
  /** Of the window around each cell; NaN beside the overlap. */
  readonly correlation: Float64Array;
  readonly tone: { readonly slope: number; readonly offset: number; readonly tolerance: number };
}

/**
 * The cells of the largest upright rectangle in which all agree closely and follow the tone; 0 where it is narrow or plain. A
 * picture that shows in part has such a rectangle, whatever lies beside it.
 */
export function compactPart(planes: Compared): number {
  const { width, height } = planes;
  const above = new Uint16Array(width);
  let best = { cells: 0, left: 0, right: 0, top: 0, bottom: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) above[x] = isSame(planes, width * y + x) ? above[x] + 1 : 0;
    for (let x = 0; x < width; x++) {
      for (let left = x, rows = above[x]; left >= 0; left--) {
        rows = Math.min(rows, above[left]);
        if (rows < MIN_SIDE_CELLS) break;
        const [columns, cells] = [x - left + 1, rows * (x - left + 1)];
        if (columns >= MIN_SIDE_CELLS && cells > best.cells)
          best = { cells, left, right: x, top: y - rows + 1, bottom: y };
      }
    }
  }
  return texture(planes, best) >= TEXTURE.minCells ? best.cells : 0;
}

function isSame({ one, other, correlation, tone }: Compared, i: number): boolean {
  return correlation[i] >= MIN_CORRELATION && Math.abs(other[i] - tone.slope * one[i] - tone.offset) <= tone.tolerance;
}

/** The cells with texture of a rectangle, which is empty where it has no cells. */
function texture(
  { one, width, height }: Compared,
  rectangle: { cells: number; left: number; right: number; top: number; bottom: number },
): number {
  if (rectangle.cells === 0) return 0;
  const { left, right, top, bottom } = rectangle;
  let count = 0;
  for (let y = Math.max(1, top); y <= Math.min(height - 2, bottom); y++)
    for (let x = Math.max(1, left); x <= Math.min(width - 2, right); x++) {
      const around = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column) => one[width * (y + row) + x + column]));
      if (Math.max(...around) - Math.min(...around) >= TEXTURE.minSpan) count++;
    }
  return count;
}
