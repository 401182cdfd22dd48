import type { Planes } from '../pixels/planes.ts';
import { agreeing, type Observations, fitted } from './fit.ts';
import { median } from '../pixels/rank.ts';
import type { Warped } from './warp.ts';

/** Pixels from which the light is estimated. */
const LIGHT_SAMPLES = 6_000;
/** Slope, in grey levels a pixel, from which on a place counts less: there it depends on sharpness too. */
const SLOPE_SCALE = 4;
/** Scales, in grey levels, at which a difference begins to count as a real one, first for a plain line and then for more. */
const CAUCHY_SCALES = { line: [Infinity, 30, 15, 10, 8, 8], full: [12, 10, 8, 8, 8] };
/** Prior weights against a gain of brightness other than 1, an offset, each term beyond a line, and any change of colours. */
const PRIOR = { gain: 6e-5, offset: 6e-4, furtherTerms: 1e-3, colours: 2e-3 };
/** Grey levels within which a law explains a value, and the additional share that a law of more terms must explain. */
const EXPLAINED = { tolerance: 6, minFurtherShare: 0.08 };
const GAIN = { min: 0.4, max: 2.5 };
/** How fast brightness may change with brightness, anywhere. */
const CURVE_SLOPE = { min: 0.25, max: 4 };
/** Values of a picture beyond which it is clipped: the true value may be darker or brighter. */
const CLIPPED = { black: 2, white: 253 };
/** Light that differs from place to place is followed in squares of this share of the long side … */
const SHADING_SQUARE_SHARE = 1 / 6;
/** … as far as this many grey levels; more is a difference. */
const MAX_SHADING_OFFSET = 6;

/**
 * The warped picture in the light of the reference, estimated from what is the same in both: brightness through a curve, times
 * light that falls off over the picture; colours by brightness and both colours; what is left of it by large squares.
 */
export function matchLighting(reference: Planes, warped: Warped): Warped {
  const samples = samplesOf(reference, warped);
  const law = lumaLaw(samples, reference, warped);
  const lit = warped.channels.map((values) => new Float32Array(values.length));
  relight(law, warped, lit[0]);
  for (const c of [1, 2]) recolour(colourLaw(samples, reference, warped, c, law[1] / 255), warped, lit[c]);
  lit.forEach((values, c) => shade(values, reference.channels[c], warped));
  unclip(lit[0], warped.channels[0], reference.channels[0]);
  return { ...warped, channels: [lit[0], lit[1], lit[2]] };
}

/** From -1 to 1 over the picture. */
function across(i: number, pixels: number): number {
  return (2 * i + 1) / pixels - 1;
}

interface Samples {
  /** Pixels. */
  readonly at: Uint32Array;
  readonly weights: Float32Array;
}

function samplesOf(reference: Planes, { width, channels: [luma], inside }: Warped): Samples {
  const step = Math.max(1, Math.floor(luma.length / LIGHT_SAMPLES)) | 1;
  const at = new Uint32Array(Math.ceil(luma.length / step));
  const weights = new Float32Array(at.length);
  let count = 0;
  for (let i = 0; i < luma.length; i += step) {
    if (!inside[i]) continue;
    const slope = Math.max(slopeAt(reference.channels[0], i, width), slopeAt(luma, i, width)) / SLOPE_SCALE;
    at[count] = i;
    weights[count++] = 1 / (1 + slope * slope);
  }
  return { at: at.subarray(0, count), weights: weights.subarray(0, count) };
}

/** `Float32Array.from` takes ten times as long. */
function ofSamples(at: Uint32Array, value: (i: number) => number): Float32Array {
  const values = new Float32Array(at.length);
  for (let k = 0; k < at.length; k++) values[k] = value(at[k]);
  return values;
}

function slopeAt(values: Float32Array, i: number, width: number): number {
  const right = (values[i + 1] ?? values[i]) - (values[i - 1] ?? values[i]);
  const down = (values[i + width] ?? values[i]) - (values[i - width] ?? values[i]);
  return Math.max(Math.abs(right), Math.abs(down)) / 2;
}

/** Of brightness by itself and the place, nine numbers. */
function lumaLaw(
  { at, weights }: Samples,
  reference: Planes,
  { width, height, channels: [luma] }: Warped,
): readonly number[] {
  const term = (of: (y: number, u: number, v: number) => number): Float32Array =>
    ofSamples(at, (i) => of(luma[i] / 255, across(i % width, width), across(Math.floor(i / width), height)));
  const values = ofSamples(at, (i) => reference.channels[0][i]);
  const one = term(() => 1);
  const y = term((y) => y);
  const terms = [
    one,
    y,
    term((y) => y * y),
    term((y) => y * y * y),
    term((y, u) => y * u),
    term((y, _, v) => y * v),
    term((y, u) => y * u * u),
    term((y, u, v) => y * u * v),
    term((y, _, v) => y * v * v),
  ];
  const evidence = { values, terms, weights };
  const doubts = terms.map((_, k) => (k === 0 ? PRIOR.offset : k === 1 ? PRIOR.gain : PRIOR.furtherTerms));
  const nothing = [0, 0, 0, 0, 0, 0, 0];
  const line = (scales: readonly number[]): number[] => {
    const [offset, gain] = fitted({ ...evidence, terms: [one, y] }, [0, 255], doubts.slice(0, 2), scales);
    return [offset, Math.min(255 * GAIN.max, Math.max(255 * GAIN.min, gain)), ...nothing];
  };
  const more = (from: number[]): number[] => {
    const law = fitted(evidence, [0, 255, ...nothing], doubts, CAUCHY_SCALES.full, from);
    return believable(law) ? law : from;
  };
  // the same light is tried first, for a large change resembles another light
  const [near, far] = [() => line(CAUCHY_SCALES.line.slice(1)), () => line(CAUCHY_SCALES.line)];
  return firstWorthy(evidence, [near, far, () => more(near()), () => more(far())]);
}

/** Brightness by its law. Like `recolour` without a function for each pixel, whose result would be an object. */
function relight([c0, c1, c2, c3, u1, v1, uu, uv, vv]: readonly number[], warped: Warped, out: Float32Array): void {
  const { width, height } = warped;
  const values = warped.channels[0];
  const us = Float64Array.from({ length: width }, (_, column) => across(column, width));
  for (let row = 0; row < height; row++) {
    const v = across(row, height);
    for (let column = 0; column < width; column++) {
      const i = row * width + column;
      const u = us[column];
      const y = values[i] / 255;
      out[i] = c0 + y * (c1 + y * (c2 + y * c3) + u * (u1 + uu * u + uv * v) + v * (v1 + vv * v));
    }
  }
}

/** Whether brighter stays brighter, everywhere, and no place is lit out of all proportion. */
function believable([, c1, c2, c3, u1, v1, uu, uv, vv]: readonly number[]): boolean {
  for (const u of [-1, 0, 1]) {
    for (const v of [-1, 0, 1]) {
      for (const y of [0, 0.25, 0.5, 0.75, 1]) {
        const slope = c1 + 2 * c2 * y + 3 * c3 * y * y + u * (u1 + uu * u + uv * v) + v * (v1 + vv * v);
        if (slope < 255 * CURVE_SLOPE.min || slope > 255 * CURVE_SLOPE.max) return false;
      }
    }
  }
  return true;
}

/** The law that most samples agree with. A later one has to be worth it, and is not computed once none can be. */
function firstWorthy(evidence: Observations, laws: readonly (() => number[])[]): number[] {
  let [best, most]: [number[], number] = [[], -Infinity];
  for (const next of laws) {
    if (most + EXPLAINED.minFurtherShare >= 1) break;
    const law = next();
    const agree = agreeing(evidence, law, EXPLAINED.tolerance);
    if (agree > most + EXPLAINED.minFurtherShare) [best, most] = [law, agree];
  }
  return best;
}

/** A colour difference from brightness and both colour differences; a picture with little colour keeps the gain of its brightness. */
function colourLaw({ at, weights }: Samples, reference: Planes, warped: Warped, c: number, gain: number): number[] {
  const [luma, blue, red] = warped.channels;
  const term = (of: (y: number, b: number, r: number) => number): Float32Array =>
    ofSamples(at, (i) => of(luma[i] / 255, blue[i] / 128, red[i] / 128));
  const values = ofSamples(at, (i) => reference.channels[c][i]);
  const own = c === 1 ? term((_, b) => b) : term((_, _b, r) => r);
  const line = fitted(
    { values, terms: [term(() => 1), own], weights },
    [0, 128 * gain],
    [0, PRIOR.colours],
    CAUCHY_SCALES.line.slice(1),
  );
  const bounded = 128 * Math.min(GAIN.max, Math.max(GAIN.min, line[1] / 128));
  const terms = [
    term(() => 1),
    term((_, b) => b),
    term((_, _b, r) => r),
    term((y) => y),
    term((y, b) => y * b),
    term((y, _, r) => y * r),
  ];
  const plain = [line[0], c === 1 ? bounded : 0, c === 2 ? bounded : 0, 0, 0, 0];
  const evidence = { values, terms, weights };
  const more = (): number[] => {
    const law = fitted(
      evidence,
      plain,
      [0, PRIOR.colours, PRIOR.colours, PRIOR.colours, PRIOR.colours, PRIOR.colours],
      CAUCHY_SCALES.full,
    );
    const gains = [0, 0.5, 1].map((y) => (law[c] + law[c + 3] * y) / 128);
    return gains.every((gain) => gain >= GAIN.min && gain <= GAIN.max) ? law : plain;
  };
  return firstWorthy(evidence, [() => plain, more]);
}

/** A colour difference by its law. */
function recolour(
  [one, blue, red, light, lightBlue, lightRed]: readonly number[],
  { channels: [lumas, blues, reds] }: Warped,
  out: Float32Array,
): void {
  for (let i = 0; i < out.length; i++) {
    const y = lumas[i] / 255;
    out[i] = one + light * y + (blue + lightBlue * y) * (blues[i] / 128) + (red + lightRed * y) * (reds[i] / 128);
  }
}

/** Takes off what is left of the light: the median difference of squares, even between their centres. */
function shade(values: Float32Array, target: Float32Array, { width, height, inside }: Warped): void {
  const side = Math.max(8, Math.ceil(Math.max(width, height) * SHADING_SQUARE_SHARE));
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)];
  const offsets = new Float32Array(columns * rows);
  const found = new Float32Array(Math.ceil(side / 3) * Math.ceil(side / 3));
  for (let square = 0; square < offsets.length; square++) {
    const left = (square % columns) * side;
    const top = Math.floor(square / columns) * side;
    let count = 0;
    for (let y = top; y < Math.min(top + side, height); y += 3) {
      for (let x = left; x < Math.min(left + side, width); x += 3) {
        const i = y * width + x;
        if (inside[i]) found[count++] = target[i] - values[i];
      }
    }
    const offset = count > 0 ? median(found.subarray(0, count)) : 0;
    offsets[square] = Math.min(MAX_SHADING_OFFSET, Math.max(-MAX_SHADING_OFFSET, offset));
  }
  const line = new Float32Array(columns);
  for (let y = 0; y < height; y++) {
    const [row, nextRow, down] = between((y + 0.5) / side, rows);
    for (let column = 0; column < columns; column++) {
      const here = offsets[row * columns + column];
      line[column] = here + down * (offsets[nextRow * columns + column] - here);
    }
    for (let column = -1; column < columns; column++) {
      const here = line[Math.max(0, column)];
      const rise = line[Math.min(columns - 1, column + 1)] - here;
      const first = Math.max(0, Math.ceil((column + 0.5) * side - 0.5));
      const end = Math.min(width, Math.ceil((column + 1.5) * side - 0.5));
      for (let x = first; x < end; x++) values[y * width + x] += here + ((x + 0.5) / side - 0.5 - column) * rise;
    }
  }
}

/** Between which two squares a place lies, and how far along. */
function between(place: number, squares: number): [first: number, second: number, along: number] {
  const first = Math.floor(place - 0.5);
  return [Math.max(0, first), Math.min(squares - 1, first + 1), place - 0.5 - first];
}

/** What one picture holds at its end of the scale may be as far beyond it as the other one shows. */
function unclip(lit: Float32Array, warped: Float32Array, target: Float32Array): void {
  for (let i = 0; i < lit.length; i++) {
    const above = warped[i] >= CLIPPED.white || target[i] >= CLIPPED.white;
    const below = warped[i] <= CLIPPED.black || target[i] <= CLIPPED.black;
    if (!above && !below) continue;
    const within =
      (warped[i] >= CLIPPED.white && target[i] > lit[i]) ||
      (target[i] >= CLIPPED.white && lit[i] > target[i]) ||
      (warped[i] <= CLIPPED.black && target[i] < lit[i]) ||
      (target[i] <= CLIPPED.black && lit[i] < target[i]);
    if (within) lit[i] = target[i];
  }
}
