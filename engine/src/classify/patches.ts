import { joined } from '../memory/joined.ts';
import type { Size } from '../geometry/frame.ts';
import type { Workspace } from '../kernels/workspace.ts';
import { means } from '../pixels/neighbourhood.ts';
import type { Picture } from '../pixels/picture.ts';
import { type Planes, planesOf, resized } from '../pixels/planes.ts';

/** Square roots of the areas that a picture is brought to, in pixels. */
const LEVEL_SIDES_PIXELS = [224, 158, 112, 79];
/** How much longer than the other a side may be; what is longer is squeezed. */
const MAX_ASPECT_RATIO = 4;
/** Side of a patch and the way from one to the next, in pixels of the level. */
const PATCH_SIDE_PIXELS = 20;
const PATCH_STRIDE_PIXELS = 6;
/** Distance between the samples of a patch, which is 16 of them wide. */
const SAMPLE_SPACING_PIXELS = PATCH_SIDE_PIXELS / 16;
/** A patch is 4 x 4 cells of colour. */
const CELLS_PER_SIDE = 4;
const CELL_SIDE_PIXELS = PATCH_SIDE_PIXELS / CELLS_PER_SIDE;
/** Spread of the luma below which a patch is plain and left out, in grey levels. */
const MIN_LUMA_DEVIATION = 3.2;

/** Numbers of one patch. */
export const SHAPE_DIMENSIONS = 128;
export const COLOUR_DIMENSIONS = CELLS_PER_SIDE * CELLS_PER_SIDE * 6;

/** Patches of a picture, at four scales, row by row each. */
export interface Patches {
  readonly count: number;
  /** How far down the middle of each lies, as a share of the picture's height. */
  readonly rows: Float32Array;
  /** SHAPE_DIMENSIONS numbers each: gradients, [row][column][direction]. */
  readonly shapes: Float32Array;
  /** COLOUR_DIMENSIONS numbers each: [row][column][mean and spread of luma, of the blue and of the red difference]. */
  readonly colours: Float32Array;
}

/** Describes all of a picture evenly by its patches, except where it is plain. */
export function patchesOf(picture: Picture, workspace: Workspace): Patches {
  let planes: Planes | undefined;
  const levels = LEVEL_SIDES_PIXELS.map((side) => {
    const size = sizeOf(picture, side);
    planes = planes ? smaller(planes, size, workspace) : planesOf(picture, size.width, size.height, workspace);
    return levelPatches(planes, workspace);
  });
  const count = levels.reduce((sum, level) => sum + level.count, 0);
  return {
    count,
    rows: joined(levels.map(({ rows }) => rows)),
    shapes: joined(levels.map(({ shapes }) => shapes)),
    colours: joined(levels.map(({ colours }) => colours)),
  };
}

function sizeOf({ width, height }: Size, side: number): Size {
  const ratio = Math.sqrt(Math.min(MAX_ASPECT_RATIO, Math.max(1 / MAX_ASPECT_RATIO, width / height)));
  return { width: Math.round(side * ratio), height: Math.round(side / ratio) };
}

function smaller(planes: Planes, size: Size, workspace: Workspace): Planes {
  const [luma, blue, red] = planes.channels.map((values) => resized(values, planes, size, workspace));
  return { ...size, channels: [luma, blue, red] };
}

function levelPatches({ width, height, channels }: Planes, workspace: Workspace): Patches {
  const summaries = channels.flatMap((values) => [
    means(values, width, height, CELL_SIDE_PIXELS >> 1),
    means(
      values.map((value) => value * value),
      width,
      height,
      CELL_SIDE_PIXELS >> 1,
    ),
  ]);
  const [down, across] = [centres(height), centres(width)];
  const points = new Float32Array(4 * down.length * across.length); // x, y, angle, and an unused number
  const colours = new Float32Array(COLOUR_DIMENSIONS * down.length * across.length);
  let count = 0;
  for (const y of down) {
    for (const x of across) {
      if (lookAt(summaries, width, x, y, colours, COLOUR_DIMENSIONS * count) < MIN_LUMA_DEVIATION) continue;
      points.set([x, y], 4 * count++);
    }
  }
  const mark = workspace.mark();
  const out = workspace.take(4 * SHAPE_DIMENSIONS * count);
  const [plane, places] = [workspace.put(channels[0]), workspace.put(points)];
  workspace.kernels.describe(plane, width, height, places, count, SAMPLE_SPACING_PIXELS, out);
  const shapes = workspace.floats(out, SHAPE_DIMENSIONS * count).slice();
  workspace.release(mark);
  const rows = Float32Array.from({ length: count }, (_, i) => points[4 * i + 1] / height);
  return { count, rows, shapes, colours: colours.subarray(0, COLOUR_DIMENSIONS * count) };
}

/** The middles of patches along a side, as far from one end as from the other. */
function centres(length: number): number[] {
  const many = Math.floor((length - PATCH_SIDE_PIXELS) / PATCH_STRIDE_PIXELS) + 1;
  const first = Math.floor((length - PATCH_SIDE_PIXELS - (many - 1) * PATCH_STRIDE_PIXELS) / 2) + PATCH_SIDE_PIXELS / 2;
  return Array.from({ length: many }, (_, i) => first + i * PATCH_STRIDE_PIXELS);
}

/**
 * Writes colours and spreads of the cells around a place.
 * @param summaries  means of each channel over a cell around each pixel, and of its squares
 * @returns the spread of the luma over the patch
 */
function lookAt(
  summaries: readonly Float32Array[],
  width: number,
  x: number,
  y: number,
  out: Float32Array,
  to: number,
): number {
  let [sum, squares] = [0, 0];
  for (let row = 0; row < CELLS_PER_SIDE; row++) {
    for (let column = 0; column < CELLS_PER_SIDE; column++) {
      const at = (y + CELL_SIDE_PIXELS * (row - 2) + 2) * width + x + CELL_SIDE_PIXELS * (column - 2) + 2;
      sum += summaries[0][at];
      squares += summaries[1][at];
      for (let c = 0; c < summaries.length; c += 2) {
        const mean = summaries[c][at];
        out[to++] = mean / (c === 0 ? 255 : 196);
        out[to++] = Math.sqrt(Math.max(0, summaries[c + 1][at] - mean * mean)) / (c === 0 ? 102 : 64);
      }
    }
  }
  const mean = sum / (CELLS_PER_SIDE * CELLS_PER_SIDE);
  return Math.sqrt(Math.max(0, squares / (CELLS_PER_SIDE * CELLS_PER_SIDE) - mean * mean));
}
