import { BRIGHTEST_CELL } from '../../src/dna/miniature.ts';
import type { CommonGrid } from './common-grid.ts';

/** How the cells of one miniature become those of the other where both show the same: other = slope * one + offset. */
export interface Tone {
  readonly slope: number;
  readonly offset: number;
  /** How far from the line a cell may lie. */
  readonly tolerance: number;
}

/** The slopes that are tried. A miniature spans the range of its picture, so each picture has its own contrast. */
const SLOPES = [
  0.35, 0.38, 0.42, 0.45, 0.5, 0.54, 0.59, 0.64, 0.7, 0.76, 0.83, 0.91, 1, 1.08, 1.18, 1.28, 1.4, 1.53, 1.67, 1.82,
  1.98, 2.16, 2.36, 2.57, 2.8,
];
/** Distance of the offsets that are tried, in cell values. */
const STEP = 0.5;
/** Least and most tolerance, in cell values: a slope above 1 also enlarges the rounding of the cells. */
const [LEAST, MOST] = [1, 1.5];
/** Bins of a cell value in the histogram, and of a step of the offset. */
const BINS = 4;
const STEP_BINS = BINS * STEP;
const LEVELS = BRIGHTEST_CELL + 1;
const COLUMNS = BINS * LEVELS;
/** Columns on both sides of the histogram, beyond which no line that is tried lies. */
const BESIDE = Math.ceil(BINS * (BRIGHTEST_CELL * SLOPES[SLOPES.length - 1] + STEP + MOST)) + 1;
const ROW = COLUMNS + 2 * BESIDE;

/**
 * The line that most cells follow, whatever the others show. Every line of a table is counted in a joint histogram, so that
 * nothing is left to chance; the first of equal lines is taken.
 * @param inverted  whether the bright cells of one picture are the dark ones of the other
 */
export function toneOf({ one, other }: CommonGrid, inverted: boolean): Tone {
  const below = cumulated(one, other);
  const total = (level: number): number => below[ROW * level + ROW - 1];
  const levels = Array.from({ length: LEVELS }, (_, level) => level).filter((level) => total(level) > 0);
  levels.sort((a, b) => total(b) - total(a));
  /** Cells of each level and of those after it: a line that cannot have most cells any more is left. */
  const left = levels.map((_, i) => levels.slice(i).reduce((sum, level) => sum + total(level), 0));
  const starts = new Int32Array(levels.length);
  let best: Tone = { slope: 1, offset: 0, tolerance: LEAST };
  let most = -1;
  for (const steep of SLOPES) {
    const slope = inverted ? -steep : steep;
    const reach = Math.round(BINS * Math.min(Math.max(LEAST, steep), MOST));
    const first = inverted ? 0 : -BRIGHTEST_CELL * steep;
    levels.forEach((level, i) => (starts[i] = ROW * level + BESIDE + Math.round(BINS * (slope * level + first))));
    for (let k = 0; k * STEP <= BRIGHTEST_CELL * (1 + steep); k++) {
      let count = 0;
      for (let i = 0; i < starts.length && count + left[i] > most; i++) {
        const bin = starts[i] + STEP_BINS * k;
        count += below[bin + reach + 1] - below[bin - reach];
      }
      if (count <= most) continue;
      most = count;
      best = { slope, offset: first + k * STEP, tolerance: reach / BINS };
    }
  }
  return best;
}

/** A row for each value of `one`: how many cells of `other` lie in the bins before each. */
function cumulated(one: Float64Array, other: Float64Array): Uint16Array {
  const table = new Uint16Array(ROW * LEVELS);
  for (let i = 0; i < one.length; i++) {
    if (Number.isNaN(other[i])) continue;
    table[ROW * one[i] + BESIDE + Math.min(COLUMNS - 1, Math.round(BINS * other[i])) + 1]++;
  }
  for (let i = 1; i < table.length; i++) if (i % ROW !== 0) table[i] += table[i - 1];
  return table;
}
