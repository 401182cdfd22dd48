import type { Planes } from '../compare/planes.ts';
import { planesOf } from '../compare/planes.ts';
import { Workspace } from '../kernels/workspace.ts';
import type { Picture } from '../pixels/picture.ts';
import { PlainPictureError } from '../recipes/recipe.ts';

/** The square every picture is brought to, in pixels; three halvings follow. */
const SIDE = 128;
const SCALES = 4;
/** Cells along a side in which directions are counted. */
const CELLS = 4;
const FINE_CELLS = 8;
const DIRECTIONS = 8;
/** Steps of each channel in the histogram of colours. */
const STEPS = [8, 8, 8] as const;
/** Patterns of the eight neighbours with at most two changes around the circle, and all others as one. */
const PATTERNS = 59;
/** Steps of the histogram of contrast. */
const CONTRASTS = 12;
/** A side below this holds nothing to classify a picture by. */
const SHORTEST = 8;

const directions = SCALES * CELLS * CELLS * DIRECTIONS + FINE_CELLS * FINE_CELLS * DIRECTIONS;
/** Numbers that the looks of a picture are. */
export const LOOKS = directions + STEPS[0] * STEPS[1] * STEPS[2] + CELLS * CELLS * 6 + 3 * (PATTERNS + CONTRASTS);

let workspace: Workspace | undefined;

/**
 * The looks of a whole picture, for profiles: energies of directions at four scales and in places, colours in all and
 * in places, and how fine patterns and contrasts are spread, which is what tells a photograph from a drawing. Each
 * part is a histogram under a square root, so that a linear model compares them by Hellinger's distance.
 *
 * Patterns: T. Ojala, M. Pietikäinen, T. Mäenpää, "Multiresolution gray-scale and rotation invariant texture
 * classification with local binary patterns", PAMI 24(7), 2002.
 *
 * @returns LOOKS bytes
 * @throws PlainPictureError for pictures that are tiny
 */
export function looksOf(picture: Picture): Uint8Array {
  if (Math.min(picture.width, picture.height) < SHORTEST) {
    throw new PlainPictureError(`it is ${picture.width} x ${picture.height} pixels, expected at least ${SHORTEST}`);
  }
  const space = (workspace ??= new Workspace());
  const parts: Float64Array[] = [];
  let planes = planesOf(picture, SIDE, SIDE, space);
  parts.push(oriented(planes.channels[0], SIDE, FINE_CELLS), colours(planes), placed(planes));
  for (let scale = 0; scale < SCALES; scale++) {
    const side = SIDE >> scale;
    if (scale > 0) planes = planesOf(picture, side, side, space);
    const [luma] = planes.channels;
    parts.push(oriented(luma, side, CELLS));
    if (scale < 3) parts.push(patterns(luma, side), contrasts(luma, side));
  }
  const bytes = new Uint8Array(LOOKS);
  let at = 0;
  for (const part of parts) for (const value of part) bytes[at++] = Math.round(255 * Math.min(1, value));
  return bytes;
}

/** Square roots of shares of the whole. */
function rooted(counts: Float64Array): Float64Array {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (total > 0 ? Math.sqrt(count / total) : 0));
}

/** Gradients by cell and direction, brought to the same whole, four times enlarged to use the bytes. */
function oriented(luma: Float32Array, side: number, cells: number): Float64Array {
  const counts = new Float64Array(cells * cells * DIRECTIONS);
  for (let y = 1; y < side - 1; y++) {
    for (let x = 1; x < side - 1; x++) {
      const i = y * side + x;
      const gx = luma[i + 1] - luma[i - 1];
      const gy = luma[i + side] - luma[i - side];
      const size = Math.sqrt(gx * gx + gy * gy);
      if (size < 2) continue;
      const turn = (Math.atan2(gy, gx) / Math.PI + 1) * DIRECTIONS; // modulo half a turn
      const bin = Math.floor(turn) % DIRECTIONS;
      const rest = turn - Math.floor(turn);
      const cell = Math.floor((y * cells) / side) * cells + Math.floor((x * cells) / side);
      counts[cell * DIRECTIONS + bin] += size * (1 - rest);
      counts[cell * DIRECTIONS + ((bin + 1) % DIRECTIONS)] += size * rest;
    }
  }
  return rooted(counts).map((value) => 4 * value);
}

function colours({ channels: [luma, blue, red] }: Planes): Float64Array {
  const counts = new Float64Array(STEPS[0] * STEPS[1] * STEPS[2]);
  const step = (value: number, n: number): number => Math.min(n - 1, Math.max(0, Math.floor(value)));
  for (let i = 0; i < luma.length; i++) {
    const l = step(luma[i] / 32, STEPS[0]);
    const b = step(blue[i] / 14 + 4, STEPS[1]);
    const r = step(red[i] / 14 + 4, STEPS[2]);
    counts[(l * STEPS[1] + b) * STEPS[2] + r]++;
  }
  return rooted(counts);
}

/** Mean and spread of each channel in each cell. */
function placed({ width, channels }: Planes): Float64Array {
  const side = width / CELLS;
  const out = new Float64Array(CELLS * CELLS * 6);
  for (let cell = 0; cell < CELLS * CELLS; cell++) {
    channels.forEach((values, c) => {
      let [sum, squares] = [0, 0];
      for (let y = 0; y < side; y++) {
        const start = (Math.floor(cell / CELLS) * side + y) * width + (cell % CELLS) * side;
        for (let i = start; i < start + side; i++) {
          sum += values[i];
          squares += values[i] * values[i];
        }
      }
      const mean = sum / (side * side);
      out[6 * cell + 2 * c] = Math.max(0, c === 0 ? mean / 255 : 0.5 + mean / 128);
      out[6 * cell + 2 * c + 1] = Math.sqrt(Math.max(0, squares / (side * side) - mean * mean)) / 100;
    });
  }
  return out;
}

const patternOf = Uint8Array.from({ length: 256 }, (_, bits) => {
  const changes = (b: number): number => popcount((b ^ ((b >> 1) | ((b & 1) << 7))) & 255);
  if (changes(bits) > 2) return PATTERNS - 1;
  let before = 0;
  for (let b = 0; b < bits; b++) if (changes(b) <= 2) before++;
  return before;
});

function popcount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest > 0; rest &= rest - 1) count++;
  return count;
}

function patterns(luma: Float32Array, side: number): Float64Array {
  const counts = new Float64Array(PATTERNS);
  const around = [-side - 1, -side, -side + 1, 1, side + 1, side, side - 1, -1];
  for (let y = 1; y < side - 1; y++) {
    for (let x = 1; x < side - 1; x++) {
      const i = y * side + x;
      let bits = 0;
      for (let k = 0; k < 8; k++) if (luma[i + around[k]] > luma[i] + 2) bits |= 1 << k;
      counts[patternOf[bits]]++;
    }
  }
  return rooted(counts);
}

/** How often neighbours differ by how much, in steps that grow. */
function contrasts(luma: Float32Array, side: number): Float64Array {
  const counts = new Float64Array(CONTRASTS);
  for (let y = 1; y < side; y++) {
    for (let x = 1; x < side; x++) {
      const i = y * side + x;
      const size = Math.max(Math.abs(luma[i] - luma[i - 1]), Math.abs(luma[i] - luma[i - side]));
      counts[Math.min(CONTRASTS - 1, Math.floor(2.2 * Math.sqrt(Math.sqrt(size * size * size) / 3)))]++;
    }
  }
  return rooted(counts);
}
