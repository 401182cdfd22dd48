import { angleOf } from './angle';
import { parabola } from './peaks';

const DIRECTION_BINS = 36;
/** A histogram has room for four more numbers on either side, where `round` repeats those of the other end. */
const ROOM_BYTES: usize = 16;
const HISTOGRAM_BYTES: usize = 4 * DIRECTION_BINS;
const histogram = memory.data(16 + 4 * 36 + 16, 16) + ROOM_BYTES;
const smoothed = memory.data(16 + 4 * 36 + 16, 16) + ROOM_BYTES;
const weights = memory.data(32, 16);
const bins = memory.data(32, 16);
const LANE_NUMBERS = f32x4(0, 1, 2, 3);

/**
 * The directions in which patches point: the peaks of a histogram of gradient directions in a disc, weighted with
 * gradient length and (1 - d²/radius²). A second peak of at least 0.8 of the first makes a second keypoint.
 *
 * D. Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 60(2), 2004, section 5.
 *
 * @param points  n × (x, y, response) floats
 * @param out     up to 2n × (x, y, angle, index of the point) floats; the angle is in [0, 1), from +x towards +y
 * @returns how many were written: a patch without any gradient gives one with angle 0
 */
export function orientations(src: usize, w: i32, h: i32, points: usize, n: i32, radius: i32, out: usize, second: f32): i32 {
  const pitch = (<usize>w) << 2;
  const limit: f32 = <f32>(radius * radius + 1);
  let written = 0;
  for (let i = 0; i < n; i++) {
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
      for (let x = from; x <= to; x += 4) {
        const at = row + ((<usize>x) << 2);
        const ix = f32x4.sub(v128.load(at, 4), v128.load(at - 4));
        const iy = f32x4.sub(v128.load(at + pitch), v128.load(at - pitch));
        const dx = f32x4.sub(f32x4.add(f32x4.splat(<f32>x), LANE_NUMBERS), centre);
        const far = f32x4.add(f32x4.mul(dx, dx), f32x4.splat(dy * dy));
        const fall = f32x4.max(f32x4.sub(f32x4.splat(1), f32x4.div(far, f32x4.splat(limit))), f32x4.splat(0));
        const length = f32x4.sqrt(f32x4.add(f32x4.mul(ix, ix), f32x4.mul(iy, iy)));
        const weight = f32x4.mul(length, fall);
        const place = f32x4.mul(angleOf(iy, ix), f32x4.splat(<f32>DIRECTION_BINS));
        const whole = f32x4.floor(place);
        const part = f32x4.sub(place, whole);
        v128.store(weights, f32x4.mul(weight, f32x4.sub(f32x4.splat(1), part)));
        v128.store(weights, f32x4.mul(weight, part), 16);
        v128.store(bins, i32x4.shl(i32x4.trunc_sat_f32x4_s(whole), 2));
        const lanes = <usize>min(4, to - x + 1) << 2;
        for (let k: usize = 0; k < lanes; k += 4) {
          let b = <usize>load<u32>(bins + k);
          if (b >= HISTOGRAM_BYTES) b -= HISTOGRAM_BYTES;
          const next = b + 4 == HISTOGRAM_BYTES ? 0 : b + 4;
          store<f32>(histogram + b, load<f32>(histogram + b) + load<f32>(weights + k));
          store<f32>(histogram + next, load<f32>(histogram + next) + load<f32>(weights + k, 16));
        }
      }
    }
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
  }
  return written;
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
