import type { Point } from '../../geometry/frame.ts';
import { cosines } from '../../geometry/angle.ts';
import type { Workspace } from '../../kernels/workspace.ts';
import type { Level } from './pyramid.ts';

/** How far the filter reaches, as a multiple of the motion; at most `MAX_FILTER_REACH_PIXELS` pixels. */
const FILTER_REACH_FACTOR = 3;
const MAX_FILTER_REACH_PIXELS = 96;
/** Ratio of the power of the noise to that of the signal in the Wiener filter: it limits how much weak frequencies are amplified. */
const NOISE_TO_SIGNAL = 0.01;

/**
 * A level as a still camera would have taken it, as far as that can be known: the filter of N. Wiener, "Extrapolation,
 * Interpolation, and Smoothing of Stationary Time Series", 1949, for a motion at even speed along a line.
 * @param motion  in pixels of the level
 */
export function withoutMotion(level: Level, [dx, dy]: Point, workspace: Workspace): Level {
  const { width, height } = level;
  const plane = workspace.take(4 * width * height);
  const mark = workspace.mark();
  const across = Math.abs(dx) >= Math.abs(dy);
  const weights = inverse(Math.max(Math.abs(dx), Math.abs(dy)));
  const slope = across ? dy / dx : dx / dy;
  const reach = (weights.length - 1) / 2;
  const taps = [...weights].flatMap((weight, i) => {
    const step = i - reach;
    const aside = Math.floor(slope * step);
    const share = slope * step - aside;
    const tap = (off: number, part: number): Tap => {
      return { x: across ? step : off, y: across ? off : step, weight: weight * part };
    };
    return [tap(aside, 1 - share), tap(aside + 1, share)];
  });
  const held = workspace.put(packed(taps));
  const far = reach + 1;
  const scratch = workspace.take(4 * (width + 2 * far + 4) * (height + 2 * far));
  workspace.kernels.convolve(level.plane, width, height, held, taps.length, far, plane, scratch);
  workspace.release(mark);
  return { ...level, plane };
}

/** A pixel beside another one, and what it weighs. */
interface Tap {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
}

function packed(taps: readonly Tap[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(12 * taps.length));
  taps.forEach(({ x, y, weight }, i) => {
    view.setInt32(12 * i, x, true);
    view.setInt32(12 * i + 4, y, true);
    view.setFloat32(12 * i + 8, weight, true);
  });
  return new Uint8Array(view.buffer);
}

/** Weights of a line of pixels that undo its mean over `length` pixels, in the middle of that line; they add up to 1. */
export function inverse(length: number): Float64Array {
  const mean = Array.from({ length: 128 }, (_, i) => Math.min(1, Math.max(0, length / 2 - i + 0.5)) / length);
  const response = transformed(mean).map((value) => value / (value * value + NOISE_TO_SIGNAL));
  const reach = Math.min(MAX_FILTER_REACH_PIXELS, Math.round(FILTER_REACH_FACTOR * length));
  // falls to 0 at the ends, like a cosine
  const fading = (i: number): number => 0.5 + 0.5 * cosines[Math.floor((128 * i) / (reach + 1))];
  const half = transformed(response)
    .slice(0, reach + 1)
    .map((value, i) => value * fading(i));
  const sum = half[0] + 2 * half.slice(1).reduce((all, value) => all + value, 0);
  return Float64Array.from({ length: 2 * reach + 1 }, (_, i) => half[Math.abs(i - reach)] / sum);
}

/** The Fourier transform of 256 numbers that are the same on both sides of the first, up to a factor; the first 129. */
function transformed(values: readonly number[]): number[] {
  const last = values[128] ?? 0;
  return Array.from({ length: 129 }, (_, k) => {
    let sum = values[0] + (k % 2 === 0 ? last : -last);
    for (let i = 1; i < 128; i++) sum += 2 * values[i] * cosines[(i * k) & 255];
    return sum;
  });
}
