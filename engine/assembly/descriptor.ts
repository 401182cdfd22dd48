import { angleOf, lengthOf } from './angle';

const PATCH_SIDE_SAMPLES = 18; // samples along a patch: 16 gradients and a frame for the differences
const CELLS_PER_SIDE = 4;
const DIRECTION_BINS = 8;
const ROW_BYTES: usize = 80; // bytes of a row of samples, room for 20
const PATCH_CENTRE: f32 = 8.5;
const patch = memory.data(80 * 18, 16);
const CELL_BYTES: usize = 4 * DIRECTION_BINS;
const CELL_ROW_BYTES: usize = <usize>CELLS_PER_SIDE * CELL_BYTES;
/** Rows of cells, with one more above and below that takes what falls beyond the outer cells' centres. */
const sums = memory.data((4 + 2) * 4 * 8 * 4, 16);
/** Of a line of 16 gradients: what goes to the earlier column, what to the later one, and the parts of these that go to the next direction. */
const shares = memory.data(4 * 64, 64);
/** Of each gradient, in the lowest byte: where its direction is read in `itself` and `onward`. */
const near = memory.data(64, 16);
/** Where the rows of samples begin: x of each row, then y. */
const starts = memory.data(2 * 80, 16);
const limits = memory.data(32, 16);

/** How much of a sample goes to the later of its two cells, for samples 0 … 3 of each four: (i + 0.5) / 4 + 0.5, less its whole part. */
const share: StaticArray<f32> = [0.625, 0.875, 0.125, 0.375];

/** Eight masks are read 4 d bytes before the middle: all bits for direction d alone. */
const itself = memory.data<i32>([0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0], 64);
/** Like `itself`: -1 for direction d, 1 for the next one. */
const onward = memory.data<f32>([0, 1, 0, 0, 0, 0, 0, 0, -1, 1, 0, 0, 0, 0, 0, 0], 64);
/** exp(-((i - 7.5) / 8)² / 2) for i = 0 … 15 */
const bell: StaticArray<f32> = [
  0.644389, 0.718868, 0.789522, 0.853676, 0.908734, 0.952345, 0.982575, 0.998049, 0.998049, 0.982575, 0.952345, 0.908734,
  0.853676, 0.789522, 0.718868, 0.644389,
];
/** How far samples 0 … 19 lie from the middle of a row. */
const aside: StaticArray<f32> = [
  -8.5, -7.5, -6.5, -5.5, -4.5, -3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5,
];

/**
 * Describes patches by where their gradients point: 4 × 4 cells of 8 directions, seen from the keypoint's own
 * direction, square-rooted.
 *
 * Layout after D. Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 60(2), 2004, section 6; the
 * square root after R. Arandjelović, A. Zisserman, "Three things everyone should know to improve object retrieval",
 * CVPR 2012, section 3. We leave Lowe in sampling the patch on a grid of its own before taking gradients, which makes
 * the descriptor of a mirrored picture an exact permutation: row r becomes row 3 - r, direction d becomes (8 - d) mod 8.
 *
 * @param points   n × (x, y, angle, …) floats; pixels beyond the border repeat it
 * @param spacing  distance between samples in pixels; the patch is 16 of them wide
 * @param out      n × 128 floats of Euclidean norm 1, [row][column][direction]; a flat patch gives zeros
 */
export function describe(src: usize, w: i32, h: i32, points: usize, n: i32, spacing: f32, out: usize): void {
  for (let i = 0; i < n; i++) {
    const p = points + <usize>(16 * i);
    sample(src, w, h, load<f32>(p) - <f32>0.5, load<f32>(p, 4) - <f32>0.5, load<f32>(p, 8), spacing);
    gather();
    memory.copy(out + <usize>(512 * i), sums + CELL_ROW_BYTES, 512);
  }
  normalise(out, n);
}

/** The lowest bits of a whole number added to this are those of the number, if it is smaller: pixels of a level are fewer. */
const WHOLE_BITS: f32 = 8388608;
const WHOLE_BITS_PATTERN: usize = 0x4b000000;

function sample(src: usize, w: i32, h: i32, x: f32, y: f32, angle: f32, spacing: f32): void {
  const radians = <f64>angle * (2 * NativeMath.PI);
  const ux = f32x4.splat(<f32>NativeMath.cos(radians) * spacing);
  const uy = f32x4.splat(<f32>NativeMath.sin(radians) * spacing);
  for (let r: usize = 0; r < ROW_BYTES; r += 16) {
    const v = v128.load(changetype<usize>(aside) + r);
    v128.store(starts + r, f32x4.sub(f32x4.splat(x), f32x4.mul(v, uy)));
    v128.store(starts + r, f32x4.add(f32x4.splat(y), f32x4.mul(v, ux)), ROW_BYTES);
  }
  // by way of memory, since what is constant is made anew in every round of a loop
  store<f32>(limits, max<f32>(<f32>w - <f32>1.001, 0));
  store<f32>(limits, max<f32>(<f32>h - <f32>1.001, 0), 4);
  store<f32>(limits, <f32>w, 8);
  store<f32>(limits, WHOLE_BITS, 12);
  const rightmost = v128.load32_splat(limits);
  const lowest = v128.load32_splat(limits, 4);
  const pitch = v128.load32_splat(limits, 8);
  const bits = v128.load32_splat(limits, 12);
  const zero = f32x4.splat(0);
  const first = src - (WHOLE_BITS_PATTERN << 2);
  const below = first + ((<usize>w) << 2);
  for (let c: usize = 0; c < ROW_BYTES; c += 16) {
    const u = v128.load(changetype<usize>(aside) + c);
    const alongX = f32x4.mul(u, ux);
    const alongY = f32x4.mul(u, uy);
    for (let r: usize = 0; r < 4 * PATCH_SIDE_SAMPLES; r += 4) {
      const fx = f32x4.pmin(f32x4.pmax(f32x4.add(v128.load32_splat(starts + r), alongX), zero), rightmost);
      const fy = f32x4.pmin(f32x4.pmax(f32x4.add(v128.load32_splat(starts + r, ROW_BYTES), alongY), zero), lowest);
      const ix = f32x4.floor(fx);
      const iy = f32x4.floor(fy);
      const a = f32x4.sub(fx, ix);
      const b = f32x4.sub(fy, iy);
      const places = i32x4.shl(f32x4.add(f32x4.add(f32x4.mul(iy, pitch), ix), bits), 2);
      const p0 = <usize>i32x4.extract_lane(places, 0);
      const p1 = <usize>i32x4.extract_lane(places, 1);
      const p2 = <usize>i32x4.extract_lane(places, 2);
      const p3 = <usize>i32x4.extract_lane(places, 3);
      const upper = between(first + p0, first + p1, first + p2, first + p3, a);
      const lower = between(below + p0, below + p1, below + p2, below + p3, a);
      v128.store(patch + 20 * r + c, f32x4.add(upper, f32x4.mul(b, f32x4.sub(lower, upper))));
    }
  }
}

/** For four places the value a part of the way from the pixel there to the next one on its right. */
// @ts-ignore: decorator
@inline
function between(p0: usize, p1: usize, p2: usize, p3: usize, part: v128): v128 {
  const first = v128.shuffle<i32>(v128.load64_zero(p0), v128.load64_zero(p1), 0, 1, 4, 5);
  const second = v128.shuffle<i32>(v128.load64_zero(p2), v128.load64_zero(p3), 0, 1, 4, 5);
  const left = v128.shuffle<i32>(first, second, 0, 2, 4, 6);
  const right = v128.shuffle<i32>(first, second, 1, 3, 5, 7);
  return f32x4.add(left, f32x4.mul(part, f32x4.sub(right, left)));
}

/** Fills `sums`: each gradient is shared between two directions and two columns, and each line of them between two rows. */
function gather(): void {
  memory.fill(sums, 0, <usize>(CELLS_PER_SIDE + 2) * CELL_ROW_BYTES);
  for (let r = 0; r < 16; r++) {
    gradients(patch + <usize>(r + 1) * ROW_BYTES + 4, unchecked(bell[r]));
    deposit(sums + <usize>((r + 2) >> 2) * CELL_ROW_BYTES, unchecked(share[r & 3]));
  }
}

/** Fills `shares` and `near` for a line of samples. Two vectors at once: neither waits for the other's steps. */
function gradients(row: usize, weightOfLine: f32): void {
  const bins = f32x4.splat(<f32>DIRECTION_BINS);
  const size = f32x4.splat(4);
  const end = f32x4.splat(WHOLE_BITS + 32);
  const down = f32x4.splat(weightOfLine);
  for (let c: usize = 0; c < 64; c += 32) {
    const at = row + c;
    const above = at - ROW_BYTES;
    const below = at + ROW_BYTES;
    const x0 = f32x4.sub(v128.load(at, 4), v128.load(at - 4));
    const y0 = f32x4.sub(v128.load(below), v128.load(above));
    const x1 = f32x4.sub(v128.load(at, 20), v128.load(at, 12));
    const y1 = f32x4.sub(v128.load(below, 16), v128.load(above, 16));
    const place0 = f32x4.mul(angleOf(y0, x0), bins);
    const place1 = f32x4.mul(angleOf(y1, x1), bins);
    const along = changetype<usize>(bell) + c;
    const weight0 = f32x4.mul(f32x4.mul(lengthOf(x0, y0), down), v128.load(along));
    const weight1 = f32x4.mul(f32x4.mul(lengthOf(x1, y1), down), v128.load(along, 16));
    const whole0 = f32x4.floor(place0);
    const whole1 = f32x4.floor(place1);
    const part0 = f32x4.sub(place0, whole0);
    const part1 = f32x4.sub(place1, whole1);
    const later0 = f32x4.mul(weight0, v128.load(changetype<usize>(share)));
    const later1 = f32x4.mul(weight1, v128.load(changetype<usize>(share)));
    const earlier0 = f32x4.sub(weight0, later0);
    const earlier1 = f32x4.sub(weight1, later1);
    v128.store(shares + c, earlier0);
    v128.store(shares + c, earlier1, 16);
    v128.store(shares + c, later0, 64);
    v128.store(shares + c, later1, 80);
    v128.store(shares + c, f32x4.mul(earlier0, part0), 128);
    v128.store(shares + c, f32x4.mul(earlier1, part1), 144);
    v128.store(shares + c, f32x4.mul(later0, part0), 192);
    v128.store(shares + c, f32x4.mul(later1, part1), 208);
    v128.store(near + c, f32x4.sub(end, f32x4.mul(whole0, size)));
    v128.store(near + c, f32x4.sub(end, f32x4.mul(whole1, size)), 16);
  }
}

/** Adds a line of gradients to two rows of cells. Its columns are summed in registers, two at a time, all directions at once. */
function deposit(row: usize, late: f32): void {
  const below = f32x4.splat(late);
  const zero = f32x4.splat(0);
  let cell = row - CELL_BYTES;
  let a0 = zero;
  let a1 = zero;
  let b0 = zero;
  let b1 = zero;
  let c: usize = 0;
  for (let end: usize = 8; c < 64; end += 16) {
    for (const stop = min<usize>(end, 64); c < stop; c += 4) {
      const at = <usize>load<u8>(near + c);
      const own0 = v128.load(itself + at);
      const own1 = v128.load(itself + at, 16);
      const next0 = v128.load(onward + at);
      const next1 = v128.load(onward + at, 16);
      const earlier = v128.load32_splat(shares + c);
      const later = v128.load32_splat(shares + c, 64);
      const earlierPart = v128.load32_splat(shares + c, 128);
      const laterPart = v128.load32_splat(shares + c, 192);
      a0 = f32x4.add(f32x4.add(a0, v128.and(earlier, own0)), f32x4.mul(earlierPart, next0));
      a1 = f32x4.add(f32x4.add(a1, v128.and(earlier, own1)), f32x4.mul(earlierPart, next1));
      b0 = f32x4.add(f32x4.add(b0, v128.and(later, own0)), f32x4.mul(laterPart, next0));
      b1 = f32x4.add(f32x4.add(b1, v128.and(later, own1)), f32x4.mul(laterPart, next1));
    }
    // what lies before the first column, or behind the last, is dropped
    if (end > 8) {
      const above = f32x4.sub(f32x4.splat(1), below);
      v128.store(cell, f32x4.add(v128.load(cell), f32x4.mul(a0, above)));
      v128.store(cell, f32x4.add(v128.load(cell, 16), f32x4.mul(a1, above)), 16);
      v128.store(cell, f32x4.add(v128.load(cell, 128), f32x4.mul(a0, below)), 128);
      v128.store(cell, f32x4.add(v128.load(cell, 144), f32x4.mul(a1, below)), 144);
    }
    cell += CELL_BYTES;
    a0 = b0;
    a1 = b1;
    b0 = zero;
    b1 = zero;
  }
}

/** Unit length, no entry above 0.2 of it, then the square root of each entry's share of the sum; the sums of four patches at once. */
function normalise(out: usize, n: i32): void {
  const end = out + <usize>(512 * n);
  for (let p0 = out; p0 < end; p0 += 2048) {
    const p1 = min(p0 + 512, end - 512);
    const p2 = min(p0 + 1024, end - 512);
    const p3 = min(p0 + 1536, end - 512);
    let squares = f32x4.splat(0);
    for (let k: usize = 0; k < 512; k += 4) {
      const v = column(p0 + k, p1 + k, p2 + k, p3 + k);
      squares = f32x4.add(squares, f32x4.mul(v, v));
    }
    const most = f32x4.mul(f32x4.splat(0.2), f32x4.sqrt(squares));
    let total = f32x4.splat(0);
    for (let k: usize = 0; k < 512; k += 4) {
      total = f32x4.add(total, f32x4.pmin(column(p0 + k, p1 + k, p2 + k, p3 + k), most));
    }
    v128.store(limits, most);
    v128.store(limits, total, 16);
    for (let p = p0, own: usize = limits; p < min(p0 + 2048, end); p += 512, own += 4) {
      if (load<f32>(own) == 0) continue;
      const top = v128.load32_splat(own);
      const all = v128.load32_splat(own, 16);
      for (let k = p; k < p + 512; k += 16) v128.store(k, f32x4.sqrt(f32x4.div(f32x4.pmin(v128.load(k), top), all)));
    }
  }
}

/** One number from each of four places. */
// @ts-ignore: decorator
@inline
function column(p0: usize, p1: usize, p2: usize, p3: usize): v128 {
  return v128.load32_lane(p3, v128.load32_lane(p2, v128.load32_lane(p1, v128.load32_zero(p0), 1), 2), 3);
}
