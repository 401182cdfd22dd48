import type { Lab } from '../color/oklab.ts';
import { SHAPE_BYTES } from '../dna/similarity.ts';
import { embeddedBytes } from '../kernels/embedded.ts';
import { shape as base64 } from './shape.generated.ts';
import { EMBEDDING_GRID_SIDE } from '../color/grid.ts';
import { DIRECTION_COUNT, directions } from './directions.ts';

/** Axes that mirroring leaves alone, and those that it negates, which follow them. */
export const EVEN_AXES = 112;
export const ODD_AXES = SHAPE_BYTES - EVEN_AXES;

interface Axes {
  readonly mean: Float32Array;
  /** SHAPE_BYTES rows of GRADIENT_LENGTH numbers; the true axis is the row times its scale. */
  readonly axes: Int8Array;
  readonly scales: Float32Array;
}

let read: Axes | undefined;

function axes(): Axes {
  if (read) return read;
  const { buffer } = embeddedBytes(base64);
  const mean = new Float32Array(buffer, 0, GRADIENT_LENGTH);
  const scales = new Float32Array(buffer, 4 * GRADIENT_LENGTH, SHAPE_BYTES);
  return (read = { mean, scales, axes: new Int8Array(buffer, 4 * (GRADIENT_LENGTH + SHAPE_BYTES)) });
}

/** The length a descriptor is brought to before it is rounded. */
const EMBEDDING_NORM = 360;

/**
 * The shapes in a picture: its gradients on axes on which pictures differ about equally (PCA, whitened in part), as a
 * vector of one length. `training/README.md` describes the training of the axes.
 */
export function shapeEmbedding(pixels: readonly Lab[]): Int8Array {
  const { mean, scales, axes: rows } = axes();
  const centred = gradients(pixels).map((value, i) => value - mean[i]);
  const places = new Float64Array(SHAPE_BYTES);
  for (let axis = 0; axis < SHAPE_BYTES; axis++) {
    let dot = 0;
    for (let i = 0; i < GRADIENT_LENGTH; i++) dot += centred[i] * rows[GRADIENT_LENGTH * axis + i];
    places[axis] = dot * scales[axis];
  }
  const length = Math.sqrt(places.reduce((sum, value) => sum + value * value, 0));
  return Int8Array.from(places, (value) =>
    Math.max(-127, Math.min(127, Math.round((EMBEDDING_NORM * value) / length))),
  );
}

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
