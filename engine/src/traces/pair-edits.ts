import type { Point } from '../geometry/frame.ts';
import { type Homography, inverse, project } from '../geometry/homography.ts';
import { means } from '../pixels/neighbourhood.ts';
import type { Picture } from '../pixels/picture.ts';
import { channelOf, type Gray, grayOf } from './gray.ts';
import { seamAlong } from './seam.ts';

/** What was done to one picture of a pair, as far as the other shows it. Shares of its own frame. */
export interface SideEdits {
  /** What the other does not show. */
  readonly beyond: number;
  /** The part of `beyond` that is plain, in [0, 1]: near 1 for a border and for corners that a rotation left empty. */
  readonly plain: number;
  /** Change across the outline of the other within this one, beyond what changes beside it, in [0, 255]: of that channel where it is largest. */
  readonly outline: number;
  /** Where they differ, as a share of the places that both show. */
  readonly differing: number;
  /** The same of luma around what differs. */
  readonly seam: number;
  /** Luma from the hundredth darkest to the hundredth lightest place that both show, in [0, 255]. */
  readonly range: number;
  /** Share of those places that are black or white. */
  readonly clipped: number;
  /** Contrast of those places by that of the other, without black and white ones; 1 where it is unknown. */
  readonly contrast: number;
}

/** Luma beyond which a place is black or white. */
const CLIPPED = { black: 2, white: 253 };
const UNIT_SQUARE: readonly Point[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];
type Small = Pick<Picture, 'width' | 'height' | 'rgb'>;

/** Mean change of luma to the next pixel below which a place is plain. */
const PLAIN_CHANGE = 3;
/** Pixels around a place that count for it. */
const RADIUS = 2;
/** Difference of luma, beyond what a shift by a pixel explains, from which on two places differ. */
const MIN_DIFFERENCE = 22;
/** Share of the pixels around one that differ, from which on it differs itself. */
const MIN_DIFFERING_SHARE = 0.6;

/**
 * What two small pictures of one scene show of edits.
 * @param map  from the unit square of the first to that of the second
 */
export function pairEdits(first: Small, second: Small, map: Homography): readonly [SideEdits, SideEdits] {
  const [a, b] = [grayOf(first), grayOf(second)];
  const back = inverse(map);
  const nothing = { beyond: 0, plain: 0, outline: 0, differing: 0, seam: 0, range: 0, clipped: 0, contrast: 1 };
  if (!back) return [nothing, nothing];
  const [changeA, changeB] = [meanChanges(a), meanChanges(b)];
  const placed = placedOn(a, b, map);
  const [valuesB, edgesB] = [sampled(b, placed), sampled({ ...b, values: changeB }, placed)];
  const light = lightBetween(a.values, valuesB);
  const differs = differing(a, valuesB, light, changeA, edgesB);
  const shown = valuesB.reduce((count, value) => count + Number(!Number.isNaN(value)), 0);
  const share = sumOf(differs) / Math.max(1, shown);
  const box = boxOf(differs, a.width);
  const both = (values: Float32Array): Float32Array =>
    values.filter((_, i) => !differs[i] && !Number.isNaN(valuesB[i]));
  const common = (picture: Gray, contrast: number) => ({
    differing: share,
    seam: Math.max(0, seamAlong(picture, box)),
    ...rangeOf(both(picture.values)),
    contrast,
  });
  return [
    { ...beyondOf(first, changeA, placed, back), ...common(a, light.gain) },
    { ...beyondOf(second, changeB, placedOn(b, a, back), map), ...common({ ...a, values: valuesB }, 1 / light.gain) },
  ];
}

function rangeOf(values: Float32Array): Pick<SideEdits, 'range' | 'clipped'> {
  if (values.length === 0) return { range: 0, clipped: 0 };
  const sorted = values.sort();
  const clipped = sorted.reduce((sum, value) => sum + Number(value < CLIPPED.black || value > CLIPPED.white), 0);
  return {
    range: sorted[Math.round(0.99 * (sorted.length - 1))] - sorted[Math.round(0.01 * (sorted.length - 1))],
    clipped: clipped / sorted.length,
  };
}

/** The box around what differs, without the outermost hundredths. */
function boxOf(differs: Uint8Array, width: number): Point[] {
  const [columns, rows]: [number[], number[]] = [[], []];
  for (let i = 0; i < differs.length; i++) {
    if (!differs[i]) continue;
    columns.push(i % width);
    rows.push(Math.floor(i / width));
  }
  if (columns.length === 0) return [];
  columns.sort((x, y) => x - y);
  const end = columns.length - 1;
  const [first, last] = [Math.round(0.01 * end), Math.round(0.99 * end)];
  const [left, right, top, bottom] = [columns[first], columns[last] + 1, rows[first], rows[last] + 1];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

function sumOf(values: Uint8Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** For each pixel of a grid where it lies in the other picture, x, then y; NaN beyond it. */
function placedOn(grid: Gray, other: Gray, map: Homography): Float32Array {
  const placed = new Float32Array(2 * grid.width * grid.height).fill(NaN);
  for (let y = 0; y < grid.height; y++)
    for (let x = 0; x < grid.width; x++) {
      const [u, v] = project(map, (x + 0.5) / grid.width, (y + 0.5) / grid.height);
      if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) continue;
      placed.set([u * other.width - 0.5, v * other.height - 0.5], 2 * (y * grid.width + x));
    }
  return placed;
}

/** Bilinear; NaN beyond the picture. */
function sampled({ width, height, values }: Gray, placed: Float32Array): Float32Array {
  return Float32Array.from({ length: placed.length / 2 }, (_, i) => {
    const [x, y] = [placed[2 * i], placed[2 * i + 1]];
    if (Number.isNaN(x)) return NaN;
    const [left, top] = [within(Math.floor(x), width - 2), within(Math.floor(y), height - 2)];
    const [dx, dy] = [within(x - left, 1), within(y - top, 1)];
    const at = top * width + left;
    const upper = values[at] * (1 - dx) + values[at + 1] * dx;
    const lower = values[at + width] * (1 - dx) + values[at + width + 1] * dx;
    return upper * (1 - dy) + lower * dy;
  });
}

function within(value: number, max: number): number {
  return Math.min(Math.max(value, 0), Math.max(max, 0));
}

/** The mean change of luma from a pixel to the next, around each pixel. */
function meanChanges({ width, height, values }: Gray): Float32Array {
  const changes = new Float32Array(values.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const right = x + 1 < width ? Math.abs(values[i + 1] - values[i]) : 0;
      const below = y + 1 < height ? Math.abs(values[i + width] - values[i]) : 0;
      changes[i] = (right + below) / 2;
    }
  return means(changes, width, height, RADIUS);
}

/** 1 where the pictures differ by more than light and a shift by a pixel explain, and most of the places around do. */
function differing(
  a: Gray,
  other: Float32Array,
  { gain, offset }: Light,
  changeA: Float32Array,
  changeB: Float32Array,
): Uint8Array {
  const differs = Float32Array.from(other, (value, i) => {
    const difference = Math.abs(a.values[i] - gain * value - offset) - 2 * Math.min(changeA[i], changeB[i]);
    return difference > MIN_DIFFERENCE ? 1 : 0;
  });
  const around = means(differs, a.width, a.height, RADIUS);
  return Uint8Array.from(around, (share, i) => (differs[i] === 1 && share >= MIN_DIFFERING_SHARE ? 1 : 0));
}

/** Luma of the first by that of the second. */
interface Light {
  readonly gain: number;
  readonly offset: number;
}

/** How far pairs of luma may lie from the line, round by round. */
const LIGHT_TOLERANCES = [Infinity, 40, 25, 15, 10];
/** Fewest pairs that determine a line. */
const MIN_LIGHT_PLACES = 100;

/** The line through pairs of luma, the same from either side: its gain is the ratio of their deviations. */
function lightBetween(a: Float32Array, b: Float32Array): Light {
  let [gain, offset] = [1, 0];
  for (const tolerance of LIGHT_TOLERANCES) {
    let [places, sumA, sumB, squaresA, squaresB] = [0, 0, 0, 0, 0];
    for (let i = 0; i < a.length; i++) {
      if (!isBetween(a[i]) || !isBetween(b[i]) || Math.abs(a[i] - gain * b[i] - offset) > tolerance) continue;
      places++;
      sumA += a[i];
      sumB += b[i];
      squaresA += a[i] * a[i];
      squaresB += b[i] * b[i];
    }
    const [meanA, meanB] = [sumA / places, sumB / places];
    const [varianceA, varianceB] = [squaresA / places - meanA * meanA, squaresB / places - meanB * meanB];
    if (places < MIN_LIGHT_PLACES || varianceA < 1 || varianceB < 1) break;
    gain = Math.sqrt(varianceA / varianceB);
    offset = meanA - gain * meanB;
  }
  return { gain, offset };
}

/** Neither black nor white; false beyond a picture. */
function isBetween(luma: number): boolean {
  return luma >= CLIPPED.black && luma <= CLIPPED.white;
}

/** @param back  from the unit square of the other to that of this one */
function beyondOf(
  picture: Small,
  changes: Float32Array,
  placed: Float32Array,
  back: Homography,
): Pick<SideEdits, 'beyond' | 'plain' | 'outline'> {
  let [beyond, plain] = [0, 0];
  for (let i = 0; i < changes.length; i++) {
    if (!Number.isNaN(placed[2 * i])) continue;
    beyond++;
    if (changes[i] < PLAIN_CHANGE) plain++;
  }
  const corners = UNIT_SQUARE.map(([u, v]): Point => {
    const [x, y] = project(back, u, v);
    return [x * picture.width, y * picture.height];
  });
  return {
    beyond: beyond / changes.length,
    plain: beyond === 0 ? 0 : plain / beyond,
    outline: Math.max(0, ...[0, 1, 2].map((channel) => seamAlong(channelOf(picture, channel), corners))),
  };
}
