import { angleOf } from './angle';

const PATCH_SIDE_SAMPLES = 18; // samples along a patch: 16 gradients and a frame for the differences
const CELLS_PER_SIDE = 4;
const DIRECTION_BINS = 8;
const ROW_BYTES = 80; // bytes of a row of samples, room for 20
const PATCH_CENTRE: f32 = 8.5;
const LANE_NUMBERS = f32x4(0, 1, 2, 3);
const patch = memory.data(80 * 18, 16);
const CELL_ROW_BYTES: usize = 4 * (CELLS_PER_SIDE + 2) * DIRECTION_BINS;
const sums = memory.data(4 * (CELLS_PER_SIDE + 2) * (CELLS_PER_SIDE + 2) * DIRECTION_BINS, 16);
const line = memory.data(4 * (CELLS_PER_SIDE + 2) * DIRECTION_BINS, 16);
const weights = memory.data(64, 16);
const bins = memory.data(64, 16);

/** How much of a sample goes to the later of its two cells, for samples 0 … 3 of each four: (i + 0.5) / 4 + 0.5, less its whole part. */
const share: StaticArray<f32> = [0.625, 0.875, 0.125, 0.375];

/** exp(-((i - 7.5) / 8)² / 2) for i = 0 … 15 */
const bell: StaticArray<f32> = [
  0.644389, 0.718868, 0.789522, 0.853676, 0.908734, 0.952345, 0.982575, 0.998049, 0.998049, 0.982575, 0.952345, 0.908734,
  0.853676, 0.789522, 0.718868, 0.644389,
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
    normalise(out + <usize>(512 * i));
  }
}

function sample(src: usize, w: i32, h: i32, x: f32, y: f32, angle: f32, spacing: f32): void {
  const radians = <f64>angle * (2 * NativeMath.PI);
  const ux: f32 = <f32>NativeMath.cos(radians) * spacing;
  const uy: f32 = <f32>NativeMath.sin(radians) * spacing;
  const zero = f32x4.splat(0);
  const rightmost = f32x4.splat(<f32>w - <f32>1.001);
  const lowest = f32x4.splat(<f32>h - <f32>1.001);
  const pitch = i32x4.splat(w);
  const below = (<usize>w) << 2;
  for (let r = 0; r < PATCH_SIDE_SAMPLES; r++) {
    const v: f32 = <f32>r - PATCH_CENTRE;
    const startX = f32x4.splat(x - v * uy);
    const startY = f32x4.splat(y + v * ux);
    const to = patch + <usize>(ROW_BYTES * r);
    for (let c = 0; c < PATCH_SIDE_SAMPLES; c += 4) {
      const u = f32x4.add(f32x4.splat(<f32>c - PATCH_CENTRE), LANE_NUMBERS);
      let fx = f32x4.add(startX, f32x4.mul(u, f32x4.splat(ux)));
      let fy = f32x4.add(startY, f32x4.mul(u, f32x4.splat(uy)));
      fx = f32x4.min(f32x4.max(fx, zero), rightmost);
      fy = f32x4.min(f32x4.max(fy, zero), lowest);
      const ix = i32x4.trunc_sat_f32x4_s(fx);
      const iy = i32x4.trunc_sat_f32x4_s(fy);
      const a = f32x4.sub(fx, f32x4.convert_i32x4_s(ix));
      const b = f32x4.sub(fy, f32x4.convert_i32x4_s(iy));
      const places = i32x4.add(i32x4.mul(iy, pitch), ix);
      const p0 = src + ((<usize>i32x4.extract_lane(places, 0)) << 2);
      const p1 = src + ((<usize>i32x4.extract_lane(places, 1)) << 2);
      const p2 = src + ((<usize>i32x4.extract_lane(places, 2)) << 2);
      const p3 = src + ((<usize>i32x4.extract_lane(places, 3)) << 2);
      const upper = between(p0, p1, p2, p3, a);
      const lower = between(p0 + below, p1 + below, p2 + below, p3 + below, a);
      v128.store(to + ((<usize>c) << 2), f32x4.add(upper, f32x4.mul(b, f32x4.sub(lower, upper))));
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

/**
 * Fills `sums`: (4 + 2) × (4 + 2) cells, with a frame that takes what falls beyond the outer cells' centres. Each gradient is
 * shared between two directions and two columns in `line`, and each line between two rows.
 */
function gather(): void {
  memory.fill(sums, 0, 4 * (CELLS_PER_SIDE + 2) * (CELLS_PER_SIDE + 2) * DIRECTION_BINS);
  const pitch: usize = ROW_BYTES;
  for (let r = 0; r < 16; r++) {
    const row = patch + <usize>(r + 1) * pitch + 4;
    const down = f32x4.splat(unchecked(bell[r]));
    for (let c: usize = 0; c < 64; c += 16) {
      const at = row + c;
      const ix = f32x4.sub(v128.load(at, 4), v128.load(at - 4));
      const iy = f32x4.sub(v128.load(at + pitch), v128.load(at - pitch));
      const length = f32x4.sqrt(f32x4.add(f32x4.mul(ix, ix), f32x4.mul(iy, iy)));
      v128.store(weights + c, f32x4.mul(f32x4.mul(length, down), v128.load(changetype<usize>(bell) + c)));
      v128.store(bins + c, f32x4.mul(angleOf(iy, ix), f32x4.splat(<f32>DIRECTION_BINS)));
    }
    memory.fill(line, 0, CELL_ROW_BYTES);
    for (let c: usize = 0; c < 16; c++) {
      const weight = load<f32>(weights + (c << 2));
      const bin = load<f32>(bins + (c << 2));
      const b0 = <i32>bin;
      const part: f32 = bin - <f32>b0;
      const near = (<usize>(b0 & 7)) << 2;
      const next = (<usize>((b0 + 1) & 7)) << 2;
      const cell = line + ((c + 2) >> 2) * (4 * DIRECTION_BINS);
      const right: f32 = weight * unchecked(share[<i32>c & 3]);
      deposit(cell, weight - right, near, next, part);
      deposit(cell + 4 * DIRECTION_BINS, right, near, next, part);
    }
    const below = f32x4.splat(unchecked(share[r & 3]));
    const above = f32x4.sub(f32x4.splat(1), below);
    const upper = sums + <usize>((r + 2) >> 2) * CELL_ROW_BYTES;
    for (let k: usize = 0; k < CELL_ROW_BYTES; k += 16) {
      const v = v128.load(line + k);
      v128.store(upper + k, f32x4.add(v128.load(upper + k), f32x4.mul(v, above)));
      v128.store(upper + CELL_ROW_BYTES + k, f32x4.add(v128.load(upper + CELL_ROW_BYTES + k), f32x4.mul(v, below)));
    }
  }
}

// @ts-ignore: decorator
@inline
function deposit(cell: usize, weight: f32, near: usize, next: usize, part: f32): void {
  const more: f32 = weight * part;
  store<f32>(cell + near, load<f32>(cell + near) + weight - more);
  store<f32>(cell + next, load<f32>(cell + next) + more);
}

/** Unit length, no entry above 0.2 of it, then the square root of each entry's share of the sum. */
function normalise(out: usize): void {
  let squares: f32 = 0;
  let k: usize = 0;
  for (let r = 1; r <= CELLS_PER_SIDE; r++) {
    for (let c = 1; c <= CELLS_PER_SIDE; c++) {
      const cell = sums + <usize>(((r * (CELLS_PER_SIDE + 2) + c) * DIRECTION_BINS) << 2);
      for (let b: usize = 0; b < <usize>DIRECTION_BINS; b++) {
        const v = load<f32>(cell + (b << 2));
        store<f32>(out + (k << 2), v);
        squares += v * v;
        k++;
      }
    }
  }
  if (squares == 0) return;
  const most: f32 = <f32>0.2 * sqrt<f32>(squares);
  let total: f32 = 0;
  for (k = 0; k < 128; k++) {
    const v = min<f32>(load<f32>(out + (k << 2)), most);
    store<f32>(out + (k << 2), v);
    total += v;
  }
  const all = f32x4.splat(total);
  for (k = 0; k < 512; k += 16) v128.store(out + k, f32x4.sqrt(f32x4.div(v128.load(out + k), all)));
}
