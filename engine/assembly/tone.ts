/** The slopes that are tried. A miniature spans the range of its picture, so each picture has its own contrast. */
const slopes = memory.data<f64>([
  0.35, 0.38, 0.42, 0.45, 0.5, 0.54, 0.59, 0.64, 0.7, 0.76, 0.83, 0.91, 1, 1.08, 1.18, 1.28, 1.4, 1.53, 1.67, 1.82,
  1.98, 2.16, 2.36, 2.57, 2.8,
]);
const SLOPE_COUNT = 25;
/** Values of a cell. */
const CELL_VALUES = 16;
/** Bins of a value in the histogram, and of the distance between two offsets. */
const BINS_PER_VALUE = 4;
const OFFSET_STEP_BINS = 2;
const VALUE_COLUMNS = CELL_VALUES * BINS_PER_VALUE;
/** Columns on both sides of the histogram, beyond which no line that is tried lies. */
const MARGIN_COLUMNS = 177;
const ROW_COLUMNS = VALUE_COLUMNS + 2 * MARGIN_COLUMNS;
/** Least and most tolerance: a slope above 1 also enlarges the rounding of the cells. */
const MIN_TOLERANCE: f64 = 1;
const MAX_TOLERANCE: f64 = 1.5;

/** Levels that occur, the most frequent first; how many cells each and those after it have; where its bins begin. */
const levels = memory.data(4 * CELL_VALUES, 16);
const left = memory.data(4 * CELL_VALUES, 16);
const starts = memory.data(4 * CELL_VALUES, 16);

/**
 * The line `other = slope * one + offset` that most cells of two planes follow, whatever the others show. Every line of a table is
 * counted in a joint histogram, so that nothing is left to chance; the first of equal lines is taken.
 *
 * @param planes    two planes of n float64, the first of whole numbers below 16; cells that are NaN in the second are left out
 * @param inverted  1 for negative slopes
 * @param table     scratch: 6,688 uint16
 * @param out       3 float64: slope, offset and how far from the line a cell may lie
 */
export function tone(planes: usize, n: i32, inverted: i32, table: usize, out: usize): void {
  cumulate(planes, n, table);
  const count = order(table);
  let most = -1;
  store<f64>(out, 1);
  store<f64>(out, 0, 8);
  store<f64>(out, MIN_TOLERANCE, 16);
  for (let s = 0; s < SLOPE_COUNT; s++) {
    const steep = load<f64>(slopes + ((<usize>s) << 3));
    const slope = inverted ? -steep : steep;
    const reach = <i32>Math.round(<f64>BINS_PER_VALUE * min(max(MIN_TOLERANCE, steep), MAX_TOLERANCE));
    const first = inverted ? 0 : -(<f64>(CELL_VALUES - 1)) * steep;
    for (let i = 0; i < count; i++) {
      const level = load<i32>(levels + (i << 2));
      const bin = ROW_COLUMNS * level + MARGIN_COLUMNS + <i32>Math.round(<f64>BINS_PER_VALUE * (slope * <f64>level + first));
      store<i32>(starts + (i << 2), bin);
    }
    const end = <f64>(CELL_VALUES - 1) * (1 + steep);
    for (let k = 0; <f64>k * (<f64>OFFSET_STEP_BINS / <f64>BINS_PER_VALUE) <= end; k++) {
      let agree = 0;
      for (let i = 0; i < count && agree + load<i32>(left + (i << 2)) > most; i++) {
        const at = table + ((<usize>(load<i32>(starts + (i << 2)) + OFFSET_STEP_BINS * k)) << 1);
        agree += <i32>load<u16>(at + 2 * (reach + 1)) - <i32>load<u16>(at - 2 * reach);
      }
      if (agree <= most) continue;
      most = agree;
      store<f64>(out, slope);
      store<f64>(out, first + <f64>k * (<f64>OFFSET_STEP_BINS / <f64>BINS_PER_VALUE), 8);
      store<f64>(out, <f64>reach / <f64>BINS_PER_VALUE, 16);
    }
  }
}

/** A row for each value of the first plane: how many cells of the second lie in the bins before each. */
function cumulate(planes: usize, n: i32, table: usize): void {
  memory.fill(table, 0, 2 * ROW_COLUMNS * CELL_VALUES);
  const others = planes + ((<usize>n) << 3);
  for (let i = 0; i < n; i++) {
    const value = load<f64>(others + ((<usize>i) << 3));
    if (value != value) continue;
    const bin = min(VALUE_COLUMNS - 1, <i32>Math.round(<f64>BINS_PER_VALUE * value));
    const at = table + ((<usize>(ROW_COLUMNS * <i32>load<f64>(planes + ((<usize>i) << 3)) + MARGIN_COLUMNS + bin + 1)) << 1);
    store<u16>(at, load<u16>(at) + 1);
  }
  for (let level = 0; level < CELL_VALUES; level++) {
    const row = table + 2 * ROW_COLUMNS * level;
    for (let i = 1; i < ROW_COLUMNS; i++) store<u16>(row + 2 * i, load<u16>(row + 2 * i) + load<u16>(row + 2 * i - 2));
  }
}

/** @returns the number of levels that occur; a line that cannot have most cells any more is left early */
function order(table: usize): i32 {
  let count = 0;
  for (let level = 0; level < CELL_VALUES; level++) {
    if (total(table, level) == 0) continue;
    let at = count++;
    for (; at > 0 && total(table, load<i32>(levels + ((at - 1) << 2))) < total(table, level); at--) {
      store<i32>(levels + (at << 2), load<i32>(levels + ((at - 1) << 2)));
    }
    store<i32>(levels + (at << 2), level);
  }
  let sum = 0;
  for (let i = count - 1; i >= 0; i--) {
    sum += total(table, load<i32>(levels + (i << 2)));
    store<i32>(left + (i << 2), sum);
  }
  return count;
}

// @ts-ignore: decorator
@inline
function total(table: usize, level: i32): i32 {
  return <i32>load<u16>(table + 2 * (ROW_COLUMNS * level + ROW_COLUMNS - 1));
}
