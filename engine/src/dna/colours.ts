import type { Size } from '../geometry/frame.ts';
import type { Picture } from '../pixels/picture.ts';

/** The colours of a picture on a coarse grid, apart from their brightness. */
export interface Colours extends Size {
  /** One byte a cell, row by row: red by green in the low half, blue by green in the high half, see `ratioOf`. */
  readonly packed: Uint8Array;
}

const LONGER_SIDE_CELLS = 24;
/** Places of a cell in each direction whose pixels count. */
const SAMPLES_PER_SIDE = 8;
/** Added to each channel, whose range is 1: the colour of what is dark says nothing. */
const DARKNESS = 0.02;
/** Steps of a doubling, and the half byte of equal channels. */
export const RATIO = { steps: 3.5, ofEqual: 8 };

/** The number of cells of a picture's colours. */
export function colourGrid({ width, height }: Size): Size {
  const cells = (side: number): number => Math.max(1, Math.round((LONGER_SIDE_CELLS * side) / Math.max(width, height)));
  return { width: cells(width), height: cells(height) };
}

export function coloursOf({ width, height, rgb, originalWidth, originalHeight }: Picture): Colours {
  const grid = colourGrid({ width: originalWidth, height: originalHeight });
  const packed = new Uint8Array(grid.width * grid.height);
  const sums = new Float64Array(3);
  for (let cell = 0; cell < packed.length; cell++) {
    sums.fill(0);
    for (let sample = 0; sample < SAMPLES_PER_SIDE * SAMPLES_PER_SIDE; sample++) {
      const across = (cell % grid.width) + ((sample % SAMPLES_PER_SIDE) + 0.5) / SAMPLES_PER_SIDE;
      const down = Math.floor(cell / grid.width) + (Math.floor(sample / SAMPLES_PER_SIDE) + 0.5) / SAMPLES_PER_SIDE;
      const x = Math.min(width - 1, Math.floor((across / grid.width) * width));
      const y = Math.min(height - 1, Math.floor((down / grid.height) * height));
      // the square is nearly the light of a value in sRGB
      for (let channel = 0; channel < 3; channel++) {
        const value = rgb[3 * (y * width + x) + channel];
        sums[channel] += value * value;
      }
    }
    const [red, green, blue] = sums.map((sum) => sum / (255 * 255 * SAMPLES_PER_SIDE * SAMPLES_PER_SIDE) + DARKNESS);
    packed[cell] = ratioOf(red, green) | (ratioOf(blue, green) << 4);
  }
  return { ...grid, packed };
}

/** The logarithm of a ratio in steps, 0 to 15. The bits of a float are nearly its logarithm, and the same on every machine. */
function ratioOf(one: number, other: number): number {
  const [bits] = new Uint32Array(Float32Array.of(one / other).buffer);
  return Math.min(15, Math.max(0, RATIO.ofEqual + Math.round(RATIO.steps * (bits / (1 << 23) - 127))));
}

/** Of a cell: red by green and blue by green, in steps. */
export function colourAt({ packed }: Colours, cell: number): readonly [red: number, blue: number] {
  return [(packed[cell] & 15) - RATIO.ofEqual, (packed[cell] >> 4) - RATIO.ofEqual];
}
