import { cosines } from '../geometry/angle.ts';
import type { Gray } from './gray.ts';
import { type JpegMultiples, multiplesOf } from './jpeg-multiples.ts';

/** Side of a block of JPEG. */
const BLOCK = 8;
/** Frequencies across and down that are looked at, and where their step is in a table of JPEG. */
const FREQUENCIES = [
  { across: 1, down: 0, step: 1 },
  { across: 0, down: 1, step: 2 },
  { across: 1, down: 1, step: 4 },
  { across: 2, down: 0, step: 5 },
  { across: 0, down: 2, step: 3 },
] as const;
const COSINES = Array.from({ length: 3 }, (_, frequency) =>
  Float64Array.from(
    { length: BLOCK },
    (_, x) => 0.5 * (frequency === 0 ? Math.SQRT1_2 : 1) * cosines[(8 * (2 * x + 1) * frequency) & 255],
  ),
);

/** Bins of a histogram of coefficients for each unit, and the largest coefficient. */
const BINS = { perUnit: 4, count: 1024 };
/** Steps of a quantisation that are tried. */
const STEPS = { min: 3, max: 40 };
/** Fewest coefficients that say something. */
const MIN_COEFFICIENTS = 60;
/** What earlier savings as JPEG left in the pixels of a file. */
export interface JpegHistory {
  /**
   * How clearly a saving shows whose blocks begin where those of the mirrored or rotated picture would, and of a file that is no JPEG
   * any saving, in standard deviations of chance: about 4 where there was none.
   */
  readonly displaced: number;
  readonly multiples: JpegMultiples;
}

/**
 * Z. Fan, R. de Queiroz, "Identification of bitmap compression history", 2003, for `displaced`.
 * @param part  of the picture as stored, from a pixel on whose coordinates are multiples of 8
 * @param whole  the size of the stored picture
 * @param steps  of the file's own luma, in the order of the file; null where it is no JPEG
 */
export function jpegHistory(
  part: Gray,
  whole: { readonly width: number; readonly height: number },
  steps: readonly number[] | null,
): JpegHistory {
  const [x, y] = [whole.width % BLOCK, whole.height % BLOCK];
  const own = sumsDown(part, 0);
  const below = y === 0 ? own : sumsDown(part, y);
  const grids = [
    { sums: own, left: x },
    { sums: below, left: 0 },
    { sums: below, left: x },
    { sums: own, left: 0 },
  ].filter(({ sums, left }) => !steps || left > 0 || sums !== own);
  const displaced = grids.map(({ sums, left }) => mean(coefficients(part, sums, left).map(latticeStrength)));
  const ownSteps = steps ? FREQUENCIES.map(({ step }) => steps[step]) : [];
  const multiples = multiplesOf(steps ? coefficients(part, own, 0) : [], ownSteps);
  return { displaced: Math.max(0, ...displaced), multiples };
}

/** The largest sum of cosines for any step: coefficients that are multiples of a step add up. */
function latticeStrength(coefficients: Float64Array): number {
  const counts = new Float64Array(BINS.count);
  for (const value of coefficients) {
    const bin = Math.round(Math.abs(value) * BINS.perUnit);
    if (bin < BINS.count) counts[bin]++;
  }
  const occupied = Uint16Array.from(counts.keys()).filter((bin) => counts[bin] > 0);
  let first = 0;
  let strongest = 0;
  for (let step = STEPS.min; step <= STEPS.max; step++) {
    let [sum, count] = [0, 0];
    while (occupied[first] < 0.6 * step * BINS.perUnit) first++;
    for (let i = first; i < occupied.length; i++) {
      const bin = occupied[i];
      sum += counts[bin] * cosines[Math.round((256 * bin) / (BINS.perUnit * step)) & 255];
      count += counts[bin];
    }
    if (count >= MIN_COEFFICIENTS) strongest = Math.max(strongest, sum / Math.sqrt(count / 2));
  }
  return strongest;
}

/** For each frequency down, the sums over the columns of 8 pixels of a row of blocks; the first row begins at a line of the picture. */
function sumsDown({ width, height, values }: Gray, top: number): Float64Array[] {
  const rows = Math.max(0, Math.floor((height - top) / BLOCK));
  const [level, odd, even] = COSINES;
  const sums = COSINES.map(() => new Float64Array(rows * width));
  for (let i = 0; i < rows * width; i++) {
    const start = top * width + i + (BLOCK - 1) * width * Math.floor(i / width);
    let [a, b, c] = [0, 0, 0];
    // a cosine of an odd frequency has the other sign on the other side of the middle
    for (let y = 0; y < BLOCK / 2; y++) {
      const one = values[start + y * width];
      const other = values[start + (BLOCK - 1 - y) * width];
      a += (one + other) * level[y];
      b += (one - other) * odd[y];
      c += (one + other) * even[y];
    }
    sums[0][i] = a;
    sums[1][i] = b;
    sums[2][i] = c;
  }
  return sums;
}

/** The coefficients of the blocks that begin at a column of the picture, a list for each frequency. */
function coefficients({ width }: Gray, sums: readonly Float64Array[], left: number): Float64Array[] {
  const columns = Math.max(0, Math.floor((width - left) / BLOCK));
  return FREQUENCIES.map(({ across, down }) => {
    const [column, cosines] = [sums[down], COSINES[across]];
    const found = new Float64Array((columns * column.length) / width);
    for (let block = 0; block < found.length; block++) {
      const start = width * Math.floor(block / columns) + left + BLOCK * (block % columns);
      let sum = 0;
      for (let x = 0; x < BLOCK; x++) sum += column[start + x] * cosines[x];
      found[block] = sum;
    }
    return found;
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
