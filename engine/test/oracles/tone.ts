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
const TRIED_SLOPES = [
  0.35, 0.38, 0.42, 0.45, 0.5, 0.54, 0.59, 0.64, 0.7, 0.76, 0.83, 0.91, 1, 1.08, 1.18, 1.28, 1.4, 1.53, 1.67, 1.82,
  1.98, 2.16, 2.36, 2.57, 2.8,
];
/** Distance of the offsets that are tried, in cell values. */
const OFFSET_STEP = 0.5;
/** Least and most tolerance, in cell values: a slope above 1 also enlarges the rounding of the cells. */
const TOLERANCE = { min: 1, max: 1.5 };
/** Bins of a cell value in the histogram, and of a step of the offset. */
const BINS_PER_VALUE = 4;
const OFFSET_STEP_BINS = BINS_PER_VALUE * OFFSET_STEP;
const CELL_VALUES = BRIGHTEST_CELL + 1;
const VALUE_COLUMNS = BINS_PER_VALUE * CELL_VALUES;
/** Columns on both sides of the histogram, beyond which no line that is tried lies. */
const MARGIN_COLUMNS =
  Math.ceil(BINS_PER_VALUE * (BRIGHTEST_CELL * TRIED_SLOPES[TRIED_SLOPES.length - 1] + OFFSET_STEP + TOLERANCE.max)) +
  1;
const ROW_COLUMNS = VALUE_COLUMNS + 2 * MARGIN_COLUMNS;

/**
 * The line that most cells follow, whatever the others show. Every line of a table is counted in a joint histogram, so that
 * nothing is left to chance; the first of equal lines is taken.
 * @param inverted  whether the bright cells of one picture are the dark ones of the other
 */
export function toneOf({ one, other }: CommonGrid, inverted: boolean): Tone {
  const below = cumulated(one, other);
  const total = (level: number): number => below[ROW_COLUMNS * level + ROW_COLUMNS - 1];
  const levels = Array.from({ length: CELL_VALUES }, (_, level) => level).filter((level) => total(level) > 0);
  levels.sort((a, b) => total(b) - total(a));
  /** Cells of each level and of those after it: a line that cannot have most cells any more is left. */
  const left = levels.map((_, i) => levels.slice(i).reduce((sum, level) => sum + total(level), 0));
  const starts = new Int32Array(levels.length);
  let best: Tone = { slope: 1, offset: 0, tolerance: TOLERANCE.min };
  let most = -1;
  for (const steep of TRIED_SLOPES) {
    const slope = inverted ? -steep : steep;
    const reach = Math.round(BINS_PER_VALUE * Math.min(Math.max(TOLERANCE.min, steep), TOLERANCE.max));
    const first = inverted ? 0 : -BRIGHTEST_CELL * steep;
    levels.forEach(
      (level, i) =>
        (starts[i] = ROW_COLUMNS * level + MARGIN_COLUMNS + Math.round(BINS_PER_VALUE * (slope * level + first))),
    );
    for (let k = 0; k * OFFSET_STEP <= BRIGHTEST_CELL * (1 + steep); k++) {
      let count = 0;
      for (let i = 0; i < starts.length && count + left[i] > most; i++) {
        const bin = starts[i] + OFFSET_STEP_BINS * k;
        count += below[bin + reach + 1] - below[bin - reach];
      }
      if (count <= most) continue;
      most = count;
      best = { slope, offset: first + k * OFFSET_STEP, tolerance: reach / BINS_PER_VALUE };
    }
  }
  return best;
}

/** A row for each value of `one`: how many cells of `other` lie in the bins before each. */
function cumulated(one: Float64Array, other: Float64Array): Uint16Array {
  const table = new Uint16Array(ROW_COLUMNS * CELL_VALUES);
  for (let i = 0; i < one.length; i++) {
    if (Number.isNaN(other[i])) continue;
    table[
      ROW_COLUMNS * one[i] + MARGIN_COLUMNS + Math.min(VALUE_COLUMNS - 1, Math.round(BINS_PER_VALUE * other[i])) + 1
    ]++;
  }
  for (let i = 1; i < table.length; i++) if (i % ROW_COLUMNS !== 0) table[i] += table[i - 1];
  return table;
}
