import type { Size } from '../../geometry/frame.ts';
import type { Compared } from './compact-part.ts';
import { type Box, isMiddle } from './middle.ts';

/**
 * What two pictures say of each other where both have texture. Other cells say nothing: they are plain, saturated, or hidden in one of
 * the pictures.
 */
export interface Contradiction extends Size {
  /** What agrees and what contradicts of the overlap, and of the cells that say something; 0.5 where none does. */
  readonly agreeing: number;
  readonly contradicting: number;
  readonly agreeingShare: number;
  readonly contradictingShare: number;
  /** What agrees of those around the middle. */
  readonly agreeingAround: number;
  /** What contradicts of the middle. */
  readonly contradictingInside: number;
  /** How many levels of grey the agreeing cells have, and the contradicting ones in the plainer picture, as shares of all levels. */
  readonly agreeingLevels: number;
  readonly contradictingLevels: number;
  /** 1 for each cell that agrees, line by line. */
  readonly agrees: Uint8Array;
}

/** Cells along the side of the window around a cell: 2 * RADIUS_CELLS + 1. */
const RADIUS_CELLS = 2;
/** Least variance of a window with texture. */
const MIN_VARIANCE = 0.6;
/** Added to both variances as noise. */
const NOISE_VARIANCE = 0.1;
/** Least correlation of windows that agree, and most of those that contradict each other. */
const CORRELATION = { agreeing: 0.6, contradicting: 0.3 };
/** Of the values of a miniature. */
const LEVELS = 16;
/** Number of cells, both values, both squares, the product. */
const SUMS = 6;

export function contradictionOf(planes: Compared, box: Box, inverted: boolean): Contradiction {
  const { width, height, other } = planes;
  const table = sumsOf(planes);
  const agrees = new Uint8Array(width * height);
  const [all, around] = [tally(), tally()];
  const levels = [0, 1].map(() => ({ one: new Uint16Array(LEVELS), other: new Uint16Array(LEVELS) }));
  let [covered, inside] = [0, 0];
  for (let y = box.top; y < box.bottom; y++)
    for (let x = box.left; x < box.right; x++) {
      if (Number.isNaN(other[width * y + x])) continue;
      const middle = isMiddle(x, box.left, box.right) && isMiddle(y, box.top, box.bottom);
      covered++;
      inside += Number(middle);
      const plain = correlationAt(table, planes, x, y);
      if (plain === undefined) continue;
      const correlation = inverted ? -plain : plain;
      for (const counted of middle ? [all] : [all, around]) {
        counted.cells++;
        counted.agreeing += Number(correlation >= CORRELATION.agreeing);
        counted.contradicting += Number(correlation < CORRELATION.contradicting);
      }
      const at = width * y + x;
      agrees[at] = Number(correlation >= CORRELATION.agreeing);
      if (agrees[at] === 0 && correlation >= CORRELATION.contradicting) continue;
      levels[agrees[at]].one[levelOf(planes.one[at])]++;
      levels[agrees[at]].other[levelOf(other[at])]++;
    }
  return {
    width,
    height,
    agreeing: all.agreeing / covered,
    contradicting: all.contradicting / covered,
    agreeingShare: shareOf(all.agreeing, all.cells),
    contradictingShare: shareOf(all.contradicting, all.cells),
    agreeingAround: shareOf(around.agreeing, around.cells),
    contradictingInside: (all.contradicting - around.contradicting) / Math.max(1, inside),
    agreeingLevels: Math.min(spreadOf(levels[1].one), spreadOf(levels[1].other)),
    contradictingLevels: Math.min(spreadOf(levels[0].one), spreadOf(levels[0].other)),
    agrees,
  };
}

function levelOf(value: number): number {
  return Math.min(LEVELS - 1, Math.max(0, Math.round(value)));
}

/** Simpson's index of diversity: how many equally frequent levels would be as diverse, as a share of all. */
function spreadOf(counts: Uint16Array): number {
  let [all, squares] = [0, 0];
  for (const count of counts) {
    all += count;
    squares += count * count;
  }
  return all > 0 ? (all * all) / squares / LEVELS : 0.5;
}

function tally() {
  return { cells: 0, agreeing: 0, contradicting: 0 };
}

function shareOf(some: number, all: number): number {
  return all > 0 ? some / all : 0.5;
}

/** A summed-area table: sums of the cells above and to the left of each corner. Cells beside the overlap are left out. */
function sumsOf({ width, height, one, other }: Compared): Float64Array {
  const pitch = SUMS * (width + 1);
  const table = new Float64Array(pitch * (height + 1));
  const row = new Float64Array(SUMS);
  for (let y = 0; y < height; y++) {
    row.fill(0);
    for (let x = 0; x < width; x++) {
      const [a, b] = [one[width * y + x], other[width * y + x]];
      if (!Number.isNaN(b)) {
        row[0]++;
        row[1] += a;
        row[2] += b;
        row[3] += a * a;
        row[4] += b * b;
        row[5] += a * b;
      }
      const at = pitch * (y + 1) + SUMS * (x + 1);
      for (let k = 0; k < SUMS; k++) table[at + k] = table[at - pitch + k] + row[k];
    }
  }
  return table;
}

/** Of the window around a cell; undefined where one of the pictures has no texture. */
function correlationAt(table: Float64Array, { width, height }: Size, x: number, y: number): number | undefined {
  const pitch = SUMS * (width + 1);
  const [upper, lower] = [Math.max(0, y - RADIUS_CELLS), Math.min(height, y + RADIUS_CELLS + 1)];
  const [left, right] = [Math.max(0, x - RADIUS_CELLS), Math.min(width, x + RADIUS_CELLS + 1)];
  const within = (k: number): number =>
    table[pitch * lower + SUMS * right + k] -
    table[pitch * lower + SUMS * left + k] -
    table[pitch * upper + SUMS * right + k] +
    table[pitch * upper + SUMS * left + k];
  const n = within(0);
  const [a, b] = [within(1) / n, within(2) / n];
  const [one, other] = [within(3) / n - a * a, within(4) / n - b * b];
  if (one < MIN_VARIANCE || other < MIN_VARIANCE) return undefined;
  return (within(5) / n - a * b) / Math.sqrt((one + NOISE_VARIANCE) * (other + NOISE_VARIANCE));
}
