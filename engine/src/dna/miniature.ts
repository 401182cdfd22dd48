import type { Size } from '../geometry/frame.ts';
import type { Colours } from './colours.ts';

/** Cells on the longer side; an even number, so that cells fill whole bytes. */
const LONGER_SIDE_CELLS = 48;
/** The brightest cell; the darkest is 0. */
export const BRIGHTEST_CELL = 15;

/** A small, blurred copy of a picture in grey. */
export interface Miniature extends Size {
  /** 4 bits a cell from the darkest to the brightest, row by row, the first of two in the low half of a byte. */
  readonly packed: Uint8Array;
  /** Of pictures for Mobile Matching. */
  readonly colours?: Colours | undefined;
}

/** The number of cells of a picture's miniature, which has the proportions of the picture. */
export function miniatureSize({ width, height }: Size): Size {
  const longest = Math.max(1, width, height);
  const cells = (side: number): number => Math.max(1, Math.round((LONGER_SIDE_CELLS * side) / longest));
  return { width: cells(width), height: cells(height) };
}

export function miniatureBytes({ width, height }: Size): number {
  return (width * height) >> 1;
}

/** Packs a plane of luma: the darkest value becomes 0, the brightest 15, all are 0 where they are equal. */
export function packMiniature(size: Size, luma: Float32Array): Miniature {
  let [low, high] = [Infinity, -Infinity];
  for (const value of luma) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const scale = high > low ? BRIGHTEST_CELL / (high - low) : 0;
  const packed = new Uint8Array(miniatureBytes(size));
  luma.forEach((value, i) => {
    packed[i >> 1] |= Math.round((value - low) * scale) << (i & 1 ? 4 : 0);
  });
  return { width: size.width, height: size.height, packed };
}

/** The cells, row by row, each 0 to 15. */
export function cellsOf({ width, height, packed }: Miniature): Float64Array {
  const cells = new Float64Array(width * height);
  for (let i = 0; i < cells.length; i++) cells[i] = i & 1 ? packed[i >> 1] >> 4 : packed[i >> 1] & 15;
  return cells;
}
