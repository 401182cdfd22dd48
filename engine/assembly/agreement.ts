/** Least correlation of windows that agree, that agree closely, and that are nearly equal. */
const MIN_CORRELATION: f64 = 0.5;
const MIN_CLOSE_CORRELATION: f64 = 0.7;
const MIN_EQUAL_CORRELATION: f64 = 0.9;
/** A cell whose neighbourhood of 3 x 3 spans so many values has texture. */
const MIN_TEXTURE_SPAN: f64 = 3;
/** Width of what is not inside, as a share of the overlap's width and height. */
const OUTER_SHARE: f64 = 0.2;

/**
 * Counts the cells of the overlap of two planes by how much of them is the same.
 *
 * @param planes       two planes of w × h float64
 * @param correlation  of the window around each cell, w × h float64; NaN beside the overlap
 * @param tone         3 float64: slope and offset of the line that most cells follow, and how far from it a cell may lie
 * @param scratch      5 w h bytes
 * @param out          15 uint32: left, top, right, bottom of the overlap; cells that agree closely of the inner ones, and all inner ones;
 *                     nearly equal, of those that agree and have texture; following the tone, of all, of those with texture in
 *                     both planes, and of the inner ones of these; the largest connected part that does not agree
 */
export function agreement(
  planes: usize,
  w: i32,
  h: i32,
  correlation: usize,
  tone: usize,
  scratch: usize,
  out: usize,
): void {
  memory.fill(out, 0, 60);
  bounds(correlation, w, h, out);
  const left = load<i32>(out);
  const top = load<i32>(out, 4);
  const right = load<i32>(out, 8);
  const bottom = load<i32>(out, 12);
  const others = planes + ((<usize>(w * h)) << 3);
  const slope = load<f64>(tone);
  const offset = load<f64>(tone, 8);
  const tolerance = load<f64>(tone, 16);
  const otherSpan = (MIN_TEXTURE_SPAN * abs(slope)) / 2;
  let first = left;
  while (first < right && !inner(first, left, right)) first++;
  let last = right - 1;
  while (last > first && !inner(last, left, right)) last--;
  for (let y = top; y < bottom; y++) {
    const among = inner(y, top, bottom);
    for (let x = left; x < right; x++) {
      const at = (<usize>(w * y + x)) << 3;
      const value = load<f64>(correlation + at);
      if (value != value) continue;
      const inside = among && x >= first && x <= last;
      if (inside) count(out + 16, value >= MIN_CLOSE_CORRELATION);
      const away = load<f64>(others + at) - slope * load<f64>(planes + at) - offset;
      const follows = abs(away) <= tolerance;
      count(out + 32, follows);
      if (x == 0 || y == 0 || x == w - 1 || y == h - 1) continue;
      if (span(planes + at, w) < MIN_TEXTURE_SPAN) continue;
      if (value >= MIN_CORRELATION) count(out + 24, value >= MIN_EQUAL_CORRELATION);
      if (!(span(others + at, w) >= otherSpan)) continue;
      count(out + 40, follows);
      if (inside) count(out + 48, follows);
    }
  }
  store<u32>(out, largest(correlation, w, h, scratch), 56);
}

/** Adds to the number of cells for which something holds, and to that of all. */
// @ts-ignore: decorator
@inline
function count(at: usize, holds: bool): void {
  store<u32>(at, load<u32>(at) + <u32>holds);
  store<u32>(at, load<u32>(at, 4) + 1, 4);
}

// @ts-ignore: decorator
@inline
function inner(at: i32, from: i32, to: i32): bool {
  const share = (<f64>(at - from) + 0.5) / <f64>(to - from);
  return share >= OUTER_SHARE && share <= 1 - OUTER_SHARE;
}

/** The range of the values of 3 x 3 cells, of those that are numbers: pmin and pmax keep their first argument beside NaN. */
function span(at: usize, w: i32): f64 {
  let low = f64x2.splat(Infinity);
  let high = f64x2.splat(-Infinity);
  const pitch = (<usize>w) << 3;
  for (let row = at - pitch; row <= at + pitch; row += pitch) {
    const one = v128.load(row - 8);
    const two = v128.load(row);
    low = f64x2.pmin(f64x2.pmin(low, one), two);
    high = f64x2.pmax(f64x2.pmax(high, one), two);
  }
  const lowest = min(f64x2.extract_lane(low, 0), f64x2.extract_lane(low, 1));
  return max(f64x2.extract_lane(high, 0), f64x2.extract_lane(high, 1)) - lowest;
}

/** The box around the cells that are numbers. */
function bounds(correlation: usize, w: i32, h: i32, out: usize): void {
  let left = w;
  let top = h;
  let right = 0;
  let bottom = 0;
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const value = load<f64>(correlation + ((<usize>(w * y + x)) << 3));
      if (value != value) continue;
      left = min(left, x);
      right = max(right, x + 1);
      top = min(top, y);
      bottom = y + 1;
    }
  }
  store<i32>(out, left);
  store<i32>(out, top, 4);
  store<i32>(out, right, 8);
  store<i32>(out, bottom, 12);
}

/** The number of cells in the largest area that does not agree; cells are connected by their sides. */
function largest(correlation: usize, w: i32, h: i32, scratch: usize): u32 {
  const n = w * h;
  const open = scratch + ((<usize>n + 3) & ~3);
  for (let i = 0; i < n; i++) store<u8>(scratch + i, <u8>(load<f64>(correlation + ((<usize>i) << 3)) < MIN_CORRELATION));
  let most: u32 = 0;
  for (let start = 0; start < n; start++) {
    if (!load<u8>(scratch + start)) continue;
    let waiting = visit(start, scratch, open, 0);
    let cells: u32 = 0;
    while (waiting > 0) {
      const i = load<i32>(open + ((<usize>--waiting) << 2));
      cells++;
      const x = i % w;
      if (i >= w) waiting = visit(i - w, scratch, open, waiting);
      if (i + w < n) waiting = visit(i + w, scratch, open, waiting);
      if (x > 0) waiting = visit(i - 1, scratch, open, waiting);
      if (x < w - 1) waiting = visit(i + 1, scratch, open, waiting);
    }
    most = max(most, cells);
  }
  return most;
}

// @ts-ignore: decorator
@inline
function visit(i: i32, apart: usize, open: usize, waiting: i32): i32 {
  if (!load<u8>(apart + i)) return waiting;
  store<u8>(apart + i, 0);
  store<i32>(open + ((<usize>waiting) << 2), i);
  return waiting + 1;
}
