/** A hypothesis that this many cells agree with ends the search. */
const SUFFICIENT_CELLS = 40;
/** Angles may differ by this much, in 1/256: 28 degrees. */
const MAX_ANGLE_DIFFERENCE = 20;
/** A feature's place may be off by this many pixels of its own level, in either picture. */
const TOLERANCE_PIXELS: f64 = 3;
/** Side of the cells in which support is counted, in pixels of the reference frame. */
const CELL_SIDE_PIXELS: f64 = 12;
const CELLS_PER_SIDE = 44; // 512 / 12, and one for the far border
const RECORD_BYTES: usize = 64; // x, y in the reference, x, y in the query, either scale, all float64; cell, number

const starts = memory.data(4 * 257, 16);
const stamps = memory.data(4 * 44 * 44, 16);

let m0: f64 = 0;
let m1: f64 = 0;
let x0: f64 = 0;
let y0: f64 = 0;
let ratio: f64 = 0;
let square: f64 = 0; // of the drift
let qx: f64 = 0;
let qy: f64 = 0;
let compared: u32 = 0;

/**
 * Each correspondence determines a similarity transform, by its two places, angles and scales. Of the first `tried` the one that
 * correspondences from the most distinct cells of the reference agree with; the first of equal ones.
 *
 * Benefit: the angles of chance correspondences are spread evenly, so only one in six is compared.
 * Correctness: only those within the window of angles can agree, and each fills one cell at most.
 *
 * @param pairs    n float64 each: x, y in the reference, x, y in the query, the scale in the reference, that in the query
 * @param angles    n bytes, in 1/256 of a circle
 * @param drift    by what share of its distance from the hypothesis a place may be off besides
 * @param cosines  256 float64, of i/256 of a circle
 * @param scratch  room for 128 · n bytes
 * @param out      the number of cells that agree, int32; how often a correspondence was held against a hypothesis, uint32;
 *                 then n bytes: 1 for one that agrees
 * @returns the number of the correspondence; -1 when nothing agrees with anything
 */
export function consensus(
  pairs: usize,
  angles: usize,
  n: i32,
  tried: i32,
  drift: f64,
  cosines: usize,
  scratch: usize,
  out: usize,
): i32 {
  square = drift * drift;
  compared = 0;
  byAngle(pairs, angles, n, scratch);
  memory.fill(stamps, 0, 4 * CELLS_PER_SIDE * CELLS_PER_SIDE);
  let best = -1;
  let most = 1;
  for (let h = 0; h < min(tried, n); h++) {
    propose(pairs, angles, n, h, cosines);
    const cells = cellsOf(scratch, first(angles, h), within(angles, n, h), most, h + 1);
    if (cells <= most) continue;
    best = h;
    most = cells;
    if (cells >= SUFFICIENT_CELLS) break;
  }
  store<i32>(out, most);
  store<u32>(out, compared, 4);
  memory.fill(out + 8, 0, n);
  if (best < 0) return best;
  propose(pairs, angles, n, best, cosines);
  const from = scratch + RECORD_BYTES * <usize>first(angles, best);
  const end = from + RECORD_BYTES * <usize>within(angles, n, best);
  for (let at = from; at < end; at += RECORD_BYTES) if (agrees(at)) store<u8>(out + 8 + load<u32>(at, 52), 1);
  return best;
}

/** The correspondences in the order of their angles, repeated once, so that every window of angles is in one piece. */
function byAngle(pairs: usize, angles: usize, n: i32, to: usize): void {
  memory.fill(starts, 0, 4 * 257);
  for (let i: usize = 0; i < <usize>n; i++) {
    const next = starts + 4 * (<usize>load<u8>(angles + i) + 1);
    store<i32>(next, load<i32>(next) + 1);
  }
  for (let t: usize = 0; t < 256; t++) {
    const next = starts + 4 * (t + 1);
    store<i32>(next, load<i32>(next) + load<i32>(starts + 4 * t));
  }
  const column = (<usize>n) << 3;
  for (let i: usize = 0; i < <usize>n; i++) {
    const start = starts + 4 * <usize>load<u8>(angles + i);
    const place = load<i32>(start);
    store<i32>(start, place + 1);
    const at = to + RECORD_BYTES * <usize>place;
    const from = pairs + (i << 3);
    const x = load<f64>(from);
    const y = load<f64>(from + column);
    store<f64>(at, x);
    store<f64>(at, y, 8);
    for (let k: usize = 2; k < 6; k++) store<f64>(at + (k << 3), load<f64>(from + k * column));
    store<u32>(at, CELLS_PER_SIDE * <u32>floor(y / CELL_SIDE_PIXELS) + <u32>floor(x / CELL_SIDE_PIXELS), 48);
    store<u32>(at, <u32>i, 52);
  }
  memory.copy(starts + 4, starts, 4 * 256); // what each angle ended with is where the next begins
  store<i32>(starts, 0);
  memory.copy(to + RECORD_BYTES * <usize>n, to, RECORD_BYTES * <usize>n);
}

/** Where the window of angles around number `h` begins. */
function first(angles: usize, h: i32): i32 {
  const low = (<i32>load<u8>(angles + <usize>h) - MAX_ANGLE_DIFFERENCE) & 255;
  return load<i32>(starts + 4 * <usize>low);
}

/** How many correspondences it holds. */
function within(angles: usize, n: i32, h: i32): i32 {
  const end = (<i32>load<u8>(angles + <usize>h) + MAX_ANGLE_DIFFERENCE + 1) & 255;
  const count = load<i32>(starts + 4 * <usize>end) - first(angles, h);
  return end > 2 * MAX_ANGLE_DIFFERENCE ? count : count + n;
}

/** Sets the similarity of correspondence `h`. */
function propose(pairs: usize, angles: usize, n: i32, h: i32, cosines: usize): void {
  const column = (<usize>n) << 3;
  const at = pairs + ((<usize>h) << 3);
  const angle = <usize>load<u8>(angles + <usize>h);
  const rx = load<f64>(at);
  const ry = load<f64>(at + column);
  qx = load<f64>(at + 2 * column);
  qy = load<f64>(at + 3 * column);
  ratio = load<f64>(at + 5 * column) / load<f64>(at + 4 * column);
  m0 = ratio * load<f64>(cosines + (angle << 3));
  m1 = ratio * load<f64>(cosines + (((angle + 192) & 255) << 3));
  x0 = qx - m0 * rx + m1 * ry;
  y0 = qy - m1 * rx - m0 * ry;
}

/** How many cells agree among the `all` correspondences from `start` on; some number of at most `enough` where it cannot be more. */
function cellsOf(records: usize, start: i32, all: i32, enough: i32, stamp: i32): i32 {
  let cells = 0;
  let at = records + RECORD_BYTES * <usize>start;
  let left = all;
  for (; left > 0 && cells + left > enough; left--, at += RECORD_BYTES) {
    if (!agrees(at)) continue;
    const cell = stamps + 4 * <usize>load<u32>(at, 48);
    if (load<i32>(cell) == stamp) continue;
    store<i32>(cell, stamp);
    cells++;
  }
  compared += all - left;
  return cells;
}

// @ts-ignore: decorator
@inline
function agrees(at: usize): bool {
  const scale = ratio * load<f64>(at, 32);
  const qScale = load<f64>(at, 40);
  if (qScale > 2 * scale || scale > 2 * qScale) return false;
  const place = v128.load(at);
  const there = v128.load(at, 16);
  // x·m0 + y·-m1 + x0 and x·m1 + y·m0 + y0, less where it is
  const x = f64x2.mul(v128.shuffle<f64>(place, place, 0, 0), f64x2.replace_lane(f64x2.splat(m0), 1, m1));
  const y = f64x2.mul(v128.shuffle<f64>(place, place, 1, 1), f64x2.replace_lane(f64x2.splat(-m1), 1, m0));
  const put = f64x2.add(f64x2.add(x, y), f64x2.replace_lane(f64x2.splat(x0), 1, y0));
  const off = f64x2.sub(put, there);
  const far = f64x2.sub(there, f64x2.replace_lane(f64x2.splat(qx), 1, qy));
  const squares = f64x2.mul(off, off);
  const distances = f64x2.mul(far, far);
  const reach = TOLERANCE_PIXELS * (1 + max(scale, qScale));
  const aside = f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1);
  return aside <= reach * reach + square * (f64x2.extract_lane(distances, 0) + f64x2.extract_lane(distances, 1));
}
