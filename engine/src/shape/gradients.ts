import { EMBEDDING_GRID_SIDE } from '../color/grid.ts';
import type { Lab } from '../color/oklab.ts';
import { DIRECTION_COUNT, directions } from './directions.ts';

const CELLS_PER_SIDE = 6;
/** Numbers that `gradients` gives. */
export const GRADIENT_LENGTH = CELLS_PER_SIDE * CELLS_PER_SIDE * DIRECTION_COUNT;

/** How much a step of a or b counts beside one of L. */
const CHROMA_WEIGHT = 3;

/**
 * Where a picture has edges and which way they run, between lights and between colours: the colour gradients of OKLab in
 * 6 x 6 cells.
 *
 * S. Di Zenzo, "A note on the gradient of a multi-image", CVGIP 33, 1986.
 *
 * @param pixels  EMBEDDING_GRID_SIDE x EMBEDDING_GRID_SIDE
 * @returns [row][column][direction]
 */
export function gradients(pixels: readonly Lab[]): Float64Array {
  const channels = [0, 1, 2].map((k) => smooth(Float64Array.from(pixels, (lab) => (k ? CHROMA_WEIGHT : 1) * lab[k])));
  return directions(EMBEDDING_GRID_SIDE, CELLS_PER_SIDE, (at) => steepest(channels, at));
}

/** The direction in which the channels together change most, as long as they do, in the upper half plane. */
function steepest(channels: readonly Float64Array[], at: number): [dx: number, dy: number] {
  let [xx, xy, yy] = [0, 0, 0];
  for (const channel of channels) {
    const dx = channel[at + 1] - channel[at - 1];
    const dy = channel[at + EMBEDDING_GRID_SIDE] - channel[at - EMBEDDING_GRID_SIDE];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const spread = Math.sqrt((xx - yy) * (xx - yy) + 4 * xy * xy);
  const length = Math.sqrt((xx + yy + spread) / 2);
  const cosineOfTwice = spread > 0 ? (xx - yy) / spread : 1;
  const dx = length * Math.sqrt(Math.max(0, (1 + cosineOfTwice) / 2));
  const dy = length * Math.sqrt(Math.max(0, (1 - cosineOfTwice) / 2));
  return [xy < 0 ? -dx : dx, dy];
}

/** Weights 1, 2, 1 over 4 in both directions; the pixels of the rim are repeated outside. */
function smooth(plane: Float64Array): Float64Array {
  const along = (from: Float64Array, step: number, placeOf: (at: number) => number): Float64Array =>
    from.map((value, at) => {
      const place = placeOf(at);
      const before = place > 0 ? from[at - step] : value;
      const after = place < EMBEDDING_GRID_SIDE - 1 ? from[at + step] : value;
      return (before + 2 * value + after) / 4;
    });
  const rows = along(plane, 1, (at) => at % EMBEDDING_GRID_SIDE);
  return along(rows, EMBEDDING_GRID_SIDE, (at) => Math.floor(at / EMBEDDING_GRID_SIDE));
}
