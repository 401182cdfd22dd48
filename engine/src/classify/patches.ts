import type { Size } from '../geometry/frame.ts';
import type { Workspace } from '../kernels/workspace.ts';
import { means } from '../pixels/neighbourhood.ts';
import type { Picture } from '../pixels/picture.ts';
import { type Planes, planesOf, resized } from '../pixels/planes.ts';

/** Square roots of the areas that a picture is brought to, in pixels. */
const LEVELS = [224, 158, 112, 79];
/** How much longer than the other a side may be; what is longer is squeezed. */
const LONGEST = 4;
/** Side of a patch and the way from one to the next, in pixels of the level. */
const SIDE = 20;
const STEP = 6;
/** Distance between the samples of a patch, which is 16 of them wide. */
const SPACING = SIDE / 16;
/** A patch is 4 x 4 cells of colour. */
const CELLS = 4;
const CELL = SIDE / CELLS;
/** Spread of the luma below which a patch is plain and left out, in grey levels. */
const PLAIN = 3.2;

/** Numbers of one patch. */
export const SHAPE = 128;
export const COLOUR = CELLS * CELLS * 6;

/** Patches of a picture, at four scales, row by row each. */
export interface Patches {
  readonly count: number;
  /** How far down the middle of each lies, as a share of the picture's height. */
  readonly rows: Float32Array;
  /** SHAPE numbers each: gradients, [row][column][direction]. */
  readonly shapes: Float32Array;
  /** COLOUR numbers each: [row][column][mean and spread of luma, of the blue and of the red difference]. */
  readonly colours: Float32Array;
}

/** Describes all of a picture evenly by its patches, except where it is plain. */
export function patchesOf(picture: Picture, workspace: Workspace): Patches {
  let planes: Planes | undefined;
  const levels = LEVELS.map((side) => {
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
  const ratio = Math.sqrt(Math.min(LONGEST, Math.max(1 / LONGEST, width / height)));
  return { width: Math.round(side * ratio), height: Math.round(side / ratio) };
}

function smaller(planes: Planes, size: Size, workspace: Workspace): Planes {
  const [luma, blue, red] = planes.channels.map((values) => resized(values, planes, size, workspace));
  return { ...size, channels: [luma, blue, red] };
}

function levelPatches({ width, height, channels }: Planes, workspace: Workspace): Patches {
  const summaries = channels.flatMap((values) => [
    means(values, width, height, CELL >> 1),
    means(
      values.map((value) => value * value),
      width,
      height,
      CELL >> 1,
    ),
  ]);
  const [down, across] = [centres(height), centres(width)];
  const points = new Float32Array(4 * down.length * across.length); // x, y, turn, and an unused number
  const colours = new Float32Array(COLOUR * down.length * across.length);
  let count = 0;
  for (const y of down) {
    for (const x of across) {
      if (lookAt(summaries, width, x, y, colours, COLOUR * count) < PLAIN) continue;
      points.set([x, y], 4 * count++);
    }
  }
  const mark = workspace.mark();
  const out = workspace.take(4 * SHAPE * count);
  const [plane, places] = [workspace.put(channels[0]), workspace.put(points)];
  workspace.kernels.describe(plane, width, height, places, count, SPACING, out);
  const shapes = workspace.floats(out, SHAPE * count).slice();
  workspace.release(mark);
  const rows = Float32Array.from({ length: count }, (_, i) => points[4 * i + 1] / height);
  return { count, rows, shapes, colours: colours.subarray(0, COLOUR * count) };
}

/** The middles of patches along a side, as far from one end as from the other. */
function centres(length: number): number[] {
  const many = Math.floor((length - SIDE) / STEP) + 1;
  const first = Math.floor((length - SIDE - (many - 1) * STEP) / 2) + SIDE / 2;
  return Array.from({ length: many }, (_, i) => first + i * STEP);
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
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      const at = (y + CELL * (row - 2) + 2) * width + x + CELL * (column - 2) + 2;
      sum += summaries[0][at];
      squares += summaries[1][at];
      for (let c = 0; c < summaries.length; c += 2) {
        const mean = summaries[c][at];
        out[to++] = mean / (c === 0 ? 255 : 196);
        out[to++] = Math.sqrt(Math.max(0, summaries[c + 1][at] - mean * mean)) / (c === 0 ? 102 : 64);
      }
    }
  }
  const mean = sum / (CELLS * CELLS);
  return Math.sqrt(Math.max(0, squares / (CELLS * CELLS) - mean * mean));
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
