import { Workspace } from '../kernels/workspace.ts';
import { expectSide } from '../pixels/least-side.ts';
import type { Picture } from '../pixels/picture.ts';
import { lumaOf } from '../pixels/planes.ts';
import { DIRECTION_COUNT, directions } from '../shape/directions.ts';
import { fisher } from './fisher.ts';
import { MIXTURE_COMPONENTS, mixtures, pooledLength } from './mixtures.ts';
import { patchesOf } from './patches.ts';

/** A side below this holds nothing to classify a picture by. */
const MIN_SIDE_PIXELS = 8;
/** Upper, middle and lower part of a picture, whose shapes are kept apart. */
const HORIZONTAL_BANDS = 3;
/** Side of the square in which edges are measured, in pixels, and its cells along a side. */
const EDGE_GRID_SIDE = 64;
const EDGE_CELLS_PER_SIDE = 8;
/** What a byte is around, and how far from it the bytes of a part are, on the average. */
const BYTE_OFFSET = 128;
const BYTE_RMS = 16;

/** A part of the embedding, and its weight beside the others. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

const lengths = [
  { length: HORIZONTAL_BANDS * pooledLength(MIXTURE_COMPONENTS.shapes), share: 4 }, // shapes of patches
  { length: pooledLength(MIXTURE_COMPONENTS.colours), share: 1 }, // colours of patches
  { length: (EDGE_CELLS_PER_SIDE * EDGE_CELLS_PER_SIDE * DIRECTION_COUNT) / 2, share: 1 }, // directions of edges in places
];
/** The parts one after another. */
export const EMBEDDING_PARTS: readonly Part[] = lengths.map(({ length, share }, i) => {
  const from = lengths.slice(0, i).reduce((sum, before) => sum + before.length, 0);
  return { from, to: from + length, share };
});
/** Bytes of an embedding. */
export const EMBEDDING_LENGTH = EMBEDDING_PARTS[EMBEDDING_PARTS.length - 1].to;

let workspace: Workspace | undefined;

/**
 * The embedding of a picture, for profiles: the shapes of its patches in the upper, middle and lower part, their
 * colours in all, and which way edges run in which place. A mirrored picture has the same embedding, but for rounding.
 *
 * @returns EMBEDDING_LENGTH bytes about 128, the neutral value
 * @throws PlainPictureError for pictures that are tiny
 */
export function embeddingOf(picture: Picture): Uint8Array {
  expectSide(picture, MIN_SIDE_PIXELS);
  const space = (workspace ??= new Workspace());
  const { shapes, colours } = mixtures();
  const patches = patchesOf(picture, space);
  const all = [...patches.rows.keys()];
  const thirds = Array.from({ length: HORIZONTAL_BANDS }, (_, third) =>
    all.filter((i) => Math.floor(patches.rows[i] * HORIZONTAL_BANDS) === third),
  );
  const parts = [
    rooted(thirds.flatMap((chosen) => [...fisher(patches.shapes, chosen, shapes, space)])),
    rooted([...fisher(patches.colours, all, colours, space)]),
    edges(picture, space),
  ];
  const embedding = new Uint8Array(EMBEDDING_LENGTH);
  EMBEDDING_PARTS.forEach(({ from }, i) => embedding.set(bytesOf(parts[i]), from));
  return embedding;
}

/** The root keeps the sign; it takes the weight from the few numbers that are large. */
function rooted(values: readonly number[]): number[] {
  return values.map((value) => Math.sign(value) * Math.sqrt(Math.abs(value)));
}

/** The gradients in places, with those of the mirrored picture added; the left half determines the right one. */
function edges(picture: Picture, space: Workspace): number[] {
  const luma = lumaOf(picture, { width: EDGE_GRID_SIDE, height: EDGE_GRID_SIDE }, space);
  const found = directions(EDGE_GRID_SIDE, EDGE_CELLS_PER_SIDE, (at) => {
    const [dx, dy] = [luma[at + 1] - luma[at - 1], luma[at + EDGE_GRID_SIDE] - luma[at - EDGE_GRID_SIDE]];
    return dy < 0 || (dy === 0 && dx < 0) ? [-dx, -dy] : [dx, dy];
  });
  const out: number[] = [];
  for (let row = 0; row < EDGE_CELLS_PER_SIDE; row++) {
    for (let column = 0; column < EDGE_CELLS_PER_SIDE / 2; column++) {
      for (let k = 0; k < DIRECTION_COUNT; k++) {
        const here = found[(row * EDGE_CELLS_PER_SIDE + column) * DIRECTION_COUNT + k];
        const there =
          found[
            (row * EDGE_CELLS_PER_SIDE + EDGE_CELLS_PER_SIDE - 1 - column) * DIRECTION_COUNT +
              ((DIRECTION_COUNT - k) % DIRECTION_COUNT)
          ];
        out.push(here + there);
      }
    }
  }
  return out;
}

function bytesOf(values: readonly number[]): Uint8Array {
  const size = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  const scale = size > 0 ? BYTE_RMS / size : 0;
  return Uint8Array.from(values, (value) => BYTE_OFFSET + Math.max(-127, Math.min(127, Math.round(scale * value))));
}
