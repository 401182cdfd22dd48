import type { Compared } from './compact-part.ts';

/** Cells of a band, and how far the next one begins. */
const BAND = { cells: 9, stride: 5 };
/** Least cells of a band that both pictures have. */
const MIN_COMMON_CELLS = 7;
/** Least variance of the cells of a band with texture, in the picture of the grid and in the other one. */
const MIN_VARIANCE = { grid: 0.5, other: 0.25 };
/** Added to both variances as noise. */
const NOISE_VARIANCE = 0.1;
/** Least correlation of bands that agree. */
const MIN_CORRELATION = 0.8;
/** Fewer bands in one direction decide nothing. */
const MIN_BANDS = 30;

/** Of the bands with texture in both pictures, the shares that agree: in the direction in which more do, and in the other one. */
export interface Bands {
  readonly along: number;
  readonly across: number;
}

/**
 * Compares short rows and short columns of cells. Strips over a picture change the light of a band along them, and little else: so all
 * bands along the strips agree, though hardly any window of the picture does.
 */
export function bandsOf({ width, height, one, other }: Pick<Compared, 'width' | 'height' | 'one' | 'other'>): Bands {
  const rows = shareThatAgrees(one, other, { lines: height, length: width, next: 1, nextLine: width });
  const columns = shareThatAgrees(one, other, { lines: width, length: height, next: width, nextLine: 1 });
  return { along: Math.max(rows, columns), across: Math.min(rows, columns) };
}

/** How the lines of cells in one direction lie in a plane. */
interface Lines {
  readonly lines: number;
  readonly length: number;
  /** From a cell to the next of its line, and from a line to the next one. */
  readonly next: number;
  readonly nextLine: number;
}

function shareThatAgrees(one: Float64Array, other: Float64Array, { lines, length, next, nextLine }: Lines): number {
  let [textured, agreeing] = [0, 0];
  for (let line = 0; line < lines; line++)
    for (let start = 0; start + BAND.cells <= length; start += BAND.stride) {
      const correlation = correlationOf(one, other, line * nextLine + start * next, next);
      if (correlation === undefined) continue;
      textured++;
      if (correlation > MIN_CORRELATION) agreeing++;
    }
  return textured >= MIN_BANDS ? agreeing / textured : 0;
}

/** Of the band that begins at a cell; undefined where one picture has no texture there. Cells beside the overlap are NaN. */
function correlationOf(one: Float64Array, other: Float64Array, first: number, next: number): number | undefined {
  const end = first + BAND.cells * next;
  let [n, sumOne, sumOther] = [0, 0, 0];
  for (let i = first; i < end; i += next) {
    if (Number.isNaN(one[i]) || Number.isNaN(other[i])) continue;
    n++;
    sumOne += one[i];
    sumOther += other[i];
  }
  if (n < MIN_COMMON_CELLS) return undefined;
  let [varianceOne, varianceOther, covariance] = [0, 0, 0];
  for (let i = first; i < end; i += next) {
    if (Number.isNaN(one[i]) || Number.isNaN(other[i])) continue;
    const [a, b] = [one[i] - sumOne / n, other[i] - sumOther / n];
    varianceOne += (a * a) / n;
    varianceOther += (b * b) / n;
    covariance += (a * b) / n;
  }
  if (varianceOne < MIN_VARIANCE.grid || varianceOther < MIN_VARIANCE.other) return undefined;
  return covariance / Math.sqrt((varianceOne + NOISE_VARIANCE) * (varianceOther + NOISE_VARIANCE));
}
