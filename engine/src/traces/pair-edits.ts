import type { Point } from '../geometry/frame.ts';
import { type Homography, inverse, project } from '../geometry/homography.ts';
import { means } from '../pixels/neighbourhood.ts';
import type { Picture } from '../pixels/picture.ts';
import { ranked } from '../pixels/rank.ts';
import { type Gray, grayOf } from './gray.ts';
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
  const [valuesB, edgesB] = sampled(b, changeB, placed);
  const light = lightBetween(a.values, valuesB);
  const differs = differencesOf(a, valuesB, light, changeA, edgesB);
  const same: readonly [Float32Array, Float32Array] = [
    new Float32Array(differs.length),
    new Float32Array(differs.length),
  ];
  let [shown, differing, count] = [0, 0, 0];
  for (let i = 0; i < differs.length; i++) {
    differing += differs[i];
    if (Number.isNaN(valuesB[i])) continue;
    shown++;
    if (differs[i]) continue;
    same[0][count] = a.values[i];
    same[1][count++] = valuesB[i];
  }
  const box = boxOf(differs, a.width);
  const common = (picture: Gray, values: Float32Array, contrast: number) => ({
    differing: differing / Math.max(1, shown),
    seam: Math.max(0, seamAlong(picture, box)),
    ...rangeOf(values.subarray(0, count)),
    contrast,
  });
  return [
    { ...beyondOf(first, changeA, placed, back), ...common(a, same[0], light.gain) },
    {
      ...beyondOf(second, changeB, placedOn(b, a, back), map),
      ...common({ ...a, values: valuesB }, same[1], 1 / light.gain),
    },
  ];
}

/** Changes the order of the values. */
function rangeOf(values: Float32Array): Pick<SideEdits, 'range' | 'clipped'> {
  const last = values.length - 1;
  if (last < 0) return { range: 0, clipped: 0 };
  let clipped = 0;
  for (let i = 0; i <= last; i++) if (!isBetween(values[i])) clipped++;
  return {
    range: ranked(values, Math.round(0.99 * last)) - ranked(values, Math.round(0.01 * last)),
    clipped: clipped / values.length,
  };
}

/** The box around what differs, without the outermost hundredths. */
function boxOf(differs: Uint8Array, width: number): readonly Point[] {
  const [columns, rows] = [new Uint32Array(width), new Uint32Array(differs.length / width)];
  let count = 0;
  for (let i = 0; i < differs.length; i++) {
    if (!differs[i]) continue;
    columns[i % width]++;
    rows[Math.floor(i / width)]++;
    count++;
  }
  if (count === 0) return [];
  const [[left, right], [top, bottom]] = [extentOf(columns, count), extentOf(rows, count)];
  return UNIT_SQUARE.map(([x, y]): Point => [x ? right : left, y ? bottom : top]);
}

/** @param counts  how many lie at each place, `total` in all */
function extentOf(counts: Uint32Array, total: number): readonly [first: number, end: number] {
  const [first, last] = [0.01, 0.99].map((share) => {
    let place = 0;
    for (let before = counts[0]; before <= Math.round(share * (total - 1)); before += counts[place]) place++;
    return place;
  });
  return [first, last + 1];
}

/** For each pixel of a grid where it lies in the other picture, x, then y; NaN beyond it. */
function placedOn(grid: Gray, other: Gray, map: Homography): Float32Array {
  const placed = new Float32Array(2 * grid.width * grid.height).fill(NaN);
  for (let row = 0, to = 0; row < grid.height; row++) {
    const y = (row + 0.5) / grid.height;
    for (let column = 0; column < grid.width; column++, to += 2) {
      // not by `project`, which makes an array for each pixel
      const x = (column + 0.5) / grid.width;
      const w = map[6] * x + map[7] * y + map[8];
      const u = (map[0] * x + map[1] * y + map[2]) / w;
      const v = (map[3] * x + map[4] * y + map[5]) / w;
      if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) continue;
      placed[to] = u * other.width - 0.5;
      placed[to + 1] = v * other.height - 0.5;
    }
  }
  return placed;
}

/** Both planes of a picture at the places, bilinear; NaN beyond the picture. */
function sampled({ width, height, values }: Gray, changes: Float32Array, placed: Float32Array) {
  const lumas = new Float32Array(placed.length / 2).fill(NaN);
  const edges = lumas.slice();
  for (let i = 0; i < placed.length / 2; i++) {
    const x = placed[2 * i];
    const y = placed[2 * i + 1];
    if (Number.isNaN(x)) continue;
    const left = within(Math.floor(x), width - 2);
    const top = within(Math.floor(y), height - 2);
    const dx = within(x - left, 1);
    const dy = within(y - top, 1);
    const at = top * width + left;
    lumas[i] = between(values, at, width, dx, dy);
    edges[i] = between(changes, at, width, dx, dy);
  }
  return [lumas, edges] as const;
}

function between(values: Float32Array, at: number, width: number, dx: number, dy: number): number {
  const upper = values[at] * (1 - dx) + values[at + 1] * dx;
  const lower = values[at + width] * (1 - dx) + values[at + width + 1] * dx;
  return upper * (1 - dy) + lower * dy;
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
function differencesOf(
  a: Gray,
  other: Float32Array,
  { gain, offset }: Light,
  changeA: Float32Array,
  changeB: Float32Array,
): Uint8Array {
  const differs = new Float32Array(other.length);
  for (let i = 0; i < differs.length; i++) {
    const difference = Math.abs(a.values[i] - gain * other[i] - offset) - 2 * Math.min(changeA[i], changeB[i]);
    if (difference > MIN_DIFFERENCE) differs[i] = 1;
  }
  const around = means(differs, a.width, a.height, RADIUS);
  const most = new Uint8Array(differs.length);
  for (let i = 0; i < most.length; i++) if (differs[i] && around[i] >= MIN_DIFFERING_SHARE) most[i] = 1;
  return most;
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
  const [ones, others] = [new Float32Array(a.length), new Float32Array(a.length)];
  let count = 0;
  for (let i = 0; i < a.length; i++) {
    ones[count] = a[i];
    others[count] = b[i];
    if (isBetween(a[i]) && isBetween(b[i])) count++;
  }
  let [gain, offset] = [1, 0];
  for (const tolerance of LIGHT_TOLERANCES) {
    let [places, sumA, sumB, squaresA, squaresB] = [0, 0, 0, 0, 0];
    for (let i = 0; i < count; i++) {
      const one = ones[i];
      const other = others[i];
      if (Math.abs(one - gain * other - offset) > tolerance) continue;
      places++;
      sumA += one;
      sumB += other;
      squaresA += one * one;
      squaresB += other * other;
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
    outline: Math.max(
      0,
      ...[0, 1, 2].map((channel) => seamAlong({ ...picture, values: picture.rgb, channel }, corners)),
    ),
  };
}
