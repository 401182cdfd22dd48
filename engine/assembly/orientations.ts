import { angleOf, lengthOf } from './angle';
import { parabola } from './peaks';

const DIRECTION_BINS = 36;
/** A histogram has room for four more numbers on either side, where `round` repeats those of the other end. */
const ROOM_BYTES: usize = 16;
const HISTOGRAM_BYTES: usize = 4 * DIRECTION_BINS;
const histogram = memory.data(16 + 4 * 36 + 16, 16) + ROOM_BYTES;
const smoothed = memory.data(16 + 4 * 36 + 16, 16) + ROOM_BYTES;
/** Of eight pixels: what goes to their bins and what to the next ones; the places of these bins in the lowest byte. */
const weights = memory.data(64, 16);
const bins = memory.data(64, 16);
const laneNumbers: StaticArray<f32> = [0, 1, 2, 3];

/** 1, the number of bins, the bytes of one and of all, and what puts a whole number below 256 added to it into the lowest byte. */
const numbers: StaticArray<f32> = [1, 36, 4, 144, 8388608];

/**
 * The directions in which patches point: the peaks of a histogram of gradient directions in a disc, weighted with
 * gradient length and (1 - d²/radius²). A second peak of at least 0.8 of the first makes a second keypoint.
 *
 * D. Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 60(2), 2004, section 5.
 *
 * @param points  n × (x, y, response) floats
 * @param most    points are left out once so many directions were found
 * @param out     up to the lesser of 2n and most + 1 × (x, y, angle, index of the point) floats; the angle is in [0, 1), from +x towards +y
 * @returns how many were written: a patch without any gradient gives one with angle 0
 */
export function orientations(
  src: usize,
  w: i32,
  h: i32,
  points: usize,
  n: i32,
  most: i32,
  radius: i32,
  out: usize,
  second: f32,
): i32 {
  const pitch = (<usize>w) << 2;
  const limit: f32 = <f32>(radius * radius + 1);
  const lanes = v128.load(changetype<usize>(laneNumbers));
  let written = 0;
  for (let i = 0; i < n && written < most; i++) {
    const px = load<f32>(points + <usize>(12 * i));
    const py = load<f32>(points + <usize>(12 * i), 4);
    const cx = <i32>px;
    const cy = <i32>py;
    memory.fill(histogram, 0, HISTOGRAM_BYTES);
    const top = max(cy - radius, 1);
    const bottom = min(cy + radius, h - 2);
    const left = max(cx - radius, 1);
    const right = min(cx + radius, w - 2);
    const centre = f32x4.splat(px - <f32>0.5);
    for (let y = top; y <= bottom; y++) {
      const dy: f32 = <f32>y + <f32>0.5 - py;
      const row = src + <usize>y * pitch;
      // beyond the disc nothing weighs
      const half: f32 = sqrt<f32>(max<f32>(limit - dy * dy, 0)) + <f32>0.01;
      const from = max(left, <i32>floor<f32>(px - <f32>0.5 - half));
      const to = min(right, <i32>ceil<f32>(px - <f32>0.5 + half));
      const aside = f32x4.splat(dy * dy);
      // two vectors at once: neither waits for the other's steps
      for (let x = from; x <= to; x += 8) {
        const at = row + ((<usize>x) << 2);
        const x0 = f32x4.sub(v128.load(at, 4), v128.load(at - 4));
        const y0 = f32x4.sub(v128.load(at + pitch), v128.load(at - pitch));
        const x1 = f32x4.sub(v128.load(at, 20), v128.load(at, 12));
        const y1 = f32x4.sub(v128.load(at + pitch, 16), v128.load(at - pitch, 16));
        const one = number(0);
        const count = number(1);
        const size = number(2);
        const all = number(3);
        const bits = number(4);
        const place0 = f32x4.mul(angleOf(y0, x0), count);
        const place1 = f32x4.mul(angleOf(y1, x1), count);
        const dx0 = f32x4.sub(f32x4.add(f32x4.splat(<f32>x), lanes), centre);
        const dx1 = f32x4.sub(f32x4.add(f32x4.splat(<f32>(x + 4)), lanes), centre);
        const weight0 = f32x4.mul(lengthOf(x0, y0), fall(dx0, aside, limit, one));
        const weight1 = f32x4.mul(lengthOf(x1, y1), fall(dx1, aside, limit, one));
        const whole0 = f32x4.floor(place0);
        const whole1 = f32x4.floor(place1);
        const part0 = f32x4.sub(place0, whole0);
        const part1 = f32x4.sub(place1, whole1);
        const own0 = f32x4.mul(whole0, size);
        const own1 = f32x4.mul(whole1, size);
        const next0 = f32x4.add(own0, size);
        const next1 = f32x4.add(own1, size);
        v128.store(weights, f32x4.mul(weight0, f32x4.sub(one, part0)));
        v128.store(weights, f32x4.mul(weight1, f32x4.sub(one, part1)), 16);
        v128.store(weights, f32x4.mul(weight0, part0), 32);
        v128.store(weights, f32x4.mul(weight1, part1), 48);
        v128.store(bins, f32x4.add(own0, bits));
        v128.store(bins, f32x4.add(own1, bits), 16);
        v128.store(bins, f32x4.add(v128.andnot(next0, f32x4.eq(next0, all)), bits), 32);
        v128.store(bins, f32x4.add(v128.andnot(next1, f32x4.eq(next1, all)), bits), 48);
        const used = <usize>min(8, to - x + 1) << 2;
        for (let k: usize = 0; k < used; k += 4) {
          const b = histogram + load<u8>(bins + k);
          store<f32>(b, load<f32>(b) + load<f32>(weights + k));
          const n = histogram + load<u8>(bins + k, 32);
          store<f32>(n, load<f32>(n) + load<f32>(weights + k, 32));
        }
      }
    }
    written = directed(px, py, i, second, out, written);
  }
  return written;
}

/** Writes the peaks of the histogram. */
function directed(px: f32, py: f32, i: i32, second: f32, out: usize, at: i32): i32 {
  let written = at;
  round(histogram, smoothed);
  round(smoothed, histogram);
  round(histogram, smoothed);
  let best: f32 = 0;
  let bestBin = 0;
  for (let b = 0; b < DIRECTION_BINS; b++) {
    const v = load<f32>(smoothed + ((<usize>b) << 2));
    if (v > best) {
      best = v;
      bestBin = b;
    }
  }
  written = emit(out, written, px, py, bestBin, i);
  let other = -1;
  let otherValue: f32 = best * second;
  for (let b = 0; b < DIRECTION_BINS; b++) {
    if (b == bestBin) continue;
    const v = load<f32>(smoothed + ((<usize>b) << 2));
    if (v > otherValue && v > ring(b - 1) && v >= ring(b + 1)) {
      other = b;
      otherValue = v;
    }
  }
  if (other >= 0) written = emit(out, written, px, py, other, i);
  return written;
}

// @ts-ignore: decorator
@inline
function number(k: usize): v128 {
  return v128.load32_splat(changetype<usize>(numbers) + 4 * k);
}

/** How much pixels weigh by their squared distance from the middle. */
// @ts-ignore: decorator
@inline
function fall(dx: v128, aside: v128, limit: f32, one: v128): v128 {
  const far = f32x4.add(f32x4.mul(dx, dx), aside);
  return f32x4.pmax(f32x4.sub(one, f32x4.div(far, f32x4.splat(limit))), f32x4.splat(0));
}

function emit(out: usize, at: i32, x: f32, y: f32, bin: i32, point: i32): i32 {
  const to = out + <usize>(16 * at);
  let angle: f32 = (<f32>bin + parabola(ring(bin - 1), ring(bin), ring(bin + 1))) * (<f32>1 / <f32>DIRECTION_BINS);
  if (angle < 0) angle += 1;
  if (angle >= 1) angle -= 1;
  store<f32>(to, x);
  store<f32>(to, y, 4);
  store<f32>(to, angle, 8);
  store<f32>(to, <f32>point, 12);
  return at + 1;
}

// @ts-ignore: decorator
@inline
function ring(b: i32): f32 {
  return load<f32>(smoothed + ((<usize>(b < 0 ? b + DIRECTION_BINS : b >= DIRECTION_BINS ? b - DIRECTION_BINS : b)) << 2));
}

function round(from: usize, to: usize): void {
  store<f32>(from - 4, load<f32>(from, 4 * (DIRECTION_BINS - 1)));
  store<f32>(from, load<f32>(from), 4 * DIRECTION_BINS);
  for (let b: usize = 0; b < HISTOGRAM_BYTES; b += 16) {
    const at = from + b;
    const sum = f32x4.add(f32x4.add(v128.load(at - 4), f32x4.mul(f32x4.splat(2), v128.load(at))), v128.load(at, 4));
    v128.store(to + b, f32x4.mul(sum, f32x4.splat(0.25)));
  }
}
