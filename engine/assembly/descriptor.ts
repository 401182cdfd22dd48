import { turns } from './angle';

const SIDE = 18; // samples along a patch: 16 gradients and a frame for the differences
const CELLS = 4;
const BINS = 8;
const patch = memory.data(4 * SIDE * SIDE);
const sums = memory.data(4 * (CELLS + 2) * (CELLS + 2) * BINS);

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
 * @param points   n × (x, y, turn, …) floats; pixels beyond the border repeat it
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

function sample(src: usize, w: i32, h: i32, x: f32, y: f32, turn: f32, spacing: f32): void {
  const angle = <f64>turn * (2 * NativeMath.PI);
  const ux: f32 = <f32>NativeMath.cos(angle) * spacing;
  const uy: f32 = <f32>NativeMath.sin(angle) * spacing;
  const pitch = (<usize>w) << 2;
  const half: f32 = <f32>(SIDE - 1) * <f32>0.5;
  const reach: f32 = half * (abs<f32>(ux) + abs<f32>(uy));
  const inside = x - reach >= 0 && y - reach >= 0 && x + reach < <f32>(w - 1) && y + reach < <f32>(h - 1);
  for (let r = 0; r < SIDE; r++) {
    const v: f32 = <f32>r - half;
    let sx: f32 = x - half * ux - v * uy;
    let sy: f32 = y - half * uy + v * ux;
    const line = patch + <usize>(4 * SIDE * r);
    for (let c = 0; c < SIDE; c++) {
      let fx = sx;
      let fy = sy;
      if (!inside) {
        fx = min<f32>(max<f32>(fx, 0), <f32>w - <f32>1.001);
        fy = min<f32>(max<f32>(fy, 0), <f32>h - <f32>1.001);
      }
      const ix = <i32>fx;
      const iy = <i32>fy;
      const a: f32 = fx - <f32>ix;
      const b: f32 = fy - <f32>iy;
      const at = src + <usize>iy * pitch + ((<usize>ix) << 2);
      const upper: f32 = load<f32>(at) + a * (load<f32>(at, 4) - load<f32>(at));
      const below = at + pitch;
      const lower: f32 = load<f32>(below) + a * (load<f32>(below, 4) - load<f32>(below));
      store<f32>(line + ((<usize>c) << 2), upper + b * (lower - upper));
      sx += ux;
      sy += uy;
    }
  }
}

/** Fills `sums`: (4 + 2) × (4 + 2) cells with a frame that takes what falls beyond the outer cells' centres. */
function gather(): void {
  memory.fill(sums, 0, 4 * (CELLS + 2) * (CELLS + 2) * BINS);
  const pitch: usize = 4 * SIDE;
  for (let r = 0; r < 16; r++) {
    const row: f32 = (<f32>r + <f32>0.5) * <f32>0.25 + <f32>0.5; // in cells of the framed grid
    const r0 = <i32>row;
    const fr: f32 = row - <f32>r0;
    for (let c = 0; c < 16; c++) {
      const at = patch + <usize>(r + 1) * pitch + ((<usize>(c + 1)) << 2);
      const ix: f32 = load<f32>(at, 4) - load<f32>(at - 4);
      const iy: f32 = load<f32>(at + pitch) - load<f32>(at - pitch);
      const length: f32 = sqrt<f32>(ix * ix + iy * iy);
      if (length == 0) continue;
      const weight: f32 = length * unchecked(bell[r]) * unchecked(bell[c]);
      const bin: f32 = turns(iy, ix) * <f32>BINS;
      const b0 = <i32>bin;
      const fb: f32 = bin - <f32>b0;
      const near = (<usize>(b0 & 7)) << 2;
      const next = (<usize>((b0 + 1) & 7)) << 2;
      const column: f32 = (<f32>c + <f32>0.5) * <f32>0.25 + <f32>0.5;
      const c0 = <i32>column;
      const fc: f32 = column - <f32>c0;
      const cell = sums + <usize>(((r0 * (CELLS + 2) + c0) * BINS) << 2);
      const w1: f32 = weight * fr;
      const w0: f32 = weight - w1;
      deposit(cell, w0 - w0 * fc, near, next, fb);
      deposit(cell + 4 * BINS, w0 * fc, near, next, fb);
      deposit(cell + 4 * BINS * (CELLS + 2), w1 - w1 * fc, near, next, fb);
      deposit(cell + 4 * BINS * (CELLS + 3), w1 * fc, near, next, fb);
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
  for (let r = 1; r <= CELLS; r++) {
    for (let c = 1; c <= CELLS; c++) {
      const cell = sums + <usize>(((r * (CELLS + 2) + c) * BINS) << 2);
      for (let b: usize = 0; b < <usize>BINS; b++) {
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
  for (k = 0; k < 128; k++) store<f32>(out + (k << 2), sqrt<f32>(load<f32>(out + (k << 2)) / total));
}
