import type { CommonGrid } from './common-grid.ts';
import type { Tone } from './tone.ts';

/** A cell whose neighbourhood of 3 x 3 spans so many values has texture. */
const MIN_TEXTURE_SPAN = 3;

/** Of a cell that is not at the rim of the grid: the range of the values of 3 x 3 cells, of those that are numbers. */
function spanAt(values: Float64Array, width: number, at: number): number {
  let low = Infinity;
  let high = -Infinity;
  for (let row = at - width; row <= at + width; row += width) {
    for (let i = row - 1; i <= row + 1; i++) {
      // NaN changes neither
      if (values[i] < low) low = values[i];
      if (values[i] > high) high = values[i];
    }
  }
  return high - low;
}

/** Whether a cell has texture in the picture that has the grid. */
export function hasTexture({ one, width }: CommonGrid, at: number): boolean {
  return spanAt(one, width, at) >= MIN_TEXTURE_SPAN;
}

/** Whether it has texture in the other picture, too, where half of the contrast that the tone lets expect is enough. */
export function hasTextureInBoth(grid: CommonGrid, at: number, { slope }: Tone): boolean {
  return hasTexture(grid, at) && spanAt(grid.other, grid.width, at) >= (MIN_TEXTURE_SPAN * Math.abs(slope)) / 2;
}
