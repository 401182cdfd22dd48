import type { Size } from '../geometry/frame.ts';
import type { Workspace } from '../kernels/workspace.ts';
import { channelsOf, type Planes, type PlanesAt } from '../pixels/planes.ts';
import { agreeing, type Observations, fitted } from './fit.ts';
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
export function matchLighting(reference: PlanesAt, warped: Warped, space: Workspace): Warped {
  const { width, height } = warped;
  const bytes = 4 * width * height;
  const at = space.take(3 * bytes);
  const mark = space.mark();
  const samples = samplesOf(reference, warped, space);
  const law = lumaLaw(samples, reference, warped, space);
  const colourLaws = [1, 2].flatMap((c) =>
    colourLaw(samples, channelsOf(reference, space)[c], channelsOf(warped, space), c, law[1] / 255),
  );
  space.kernels.relight(warped.at, width, height, space.put(Float64Array.of(...law, ...colourLaws)), at);
  const inside = space.put(warped.inside);
  for (const c of [0, 1, 2]) shade(at + bytes * c, reference.at + bytes * c, inside, warped, space);
  space.kernels.unclip(at, warped.at, reference.at, width * height, CLIPPED.black, CLIPPED.white);
  space.release(mark);
  return { ...warped, at };
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

function samplesOf(reference: PlanesAt, warped: Warped, space: Workspace): Samples {
  const { width, inside } = warped;
  const [[target], [luma]] = [channelsOf(reference, space), channelsOf(warped, space)];
  const step = Math.max(1, Math.floor(luma.length / LIGHT_SAMPLES)) | 1;
  const at = new Uint32Array(Math.ceil(luma.length / step));
  const weights = new Float32Array(at.length);
  let count = 0;
  for (let i = 0; i < luma.length; i += step) {
    if (!inside[i]) continue;
    const slope = Math.max(slopeAt(target, i, width), slopeAt(luma, i, width)) / SLOPE_SCALE;
    at[count] = i;
    weights[count++] = 1 / (1 + slope * slope);
  }
  return { at: at.subarray(0, count), weights: weights.subarray(0, count) };
}

/** The terms of a law, an array each. @param of  those of a pixel, `count` in all */
function termsOf({ at }: Samples, count: number, of: (i: number) => readonly number[]): readonly Float32Array[] {
  const terms = Array.from({ length: count }, () => new Float32Array(at.length));
  for (let k = 0; k < at.length; k++) {
    const numbers = of(at[k]);
    for (let term = 0; term < count; term++) terms[term][k] = numbers[term];
  }
  return terms;
}

function slopeAt(values: Float32Array, i: number, width: number): number {
  const right = (values[i + 1] ?? values[i]) - (values[i - 1] ?? values[i]);
  const down = (values[i + width] ?? values[i]) - (values[i - width] ?? values[i]);
  return Math.max(Math.abs(right), Math.abs(down)) / 2;
}

/** Of brightness by itself and the place, nine numbers. */
function lumaLaw(samples: Samples, reference: PlanesAt, warped: Warped, space: Workspace): readonly number[] {
  const { width, height } = warped;
  const [[target], [luma]] = [channelsOf(reference, space), channelsOf(warped, space)];
  const [values, ...terms] = termsOf(samples, 10, (i) => {
    const y = luma[i] / 255;
    const u = across(i % width, width);
    const v = across(Math.floor(i / width), height);
    return [target[i], 1, y, y * y, y * y * y, y * u, y * v, y * u * u, y * u * v, y * v * v];
  });
  const { weights } = samples;
  const evidence = { values, terms, weights };
  const doubts = terms.map((_, k) => (k === 0 ? PRIOR.offset : k === 1 ? PRIOR.gain : PRIOR.furtherTerms));
  const nothing = [0, 0, 0, 0, 0, 0, 0];
  const line = (scales: readonly number[]): number[] => {
    const [offset, gain] = fitted({ ...evidence, terms: terms.slice(0, 2) }, [0, 255], doubts.slice(0, 2), scales);
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
function colourLaw(
  samples: Samples,
  target: Float32Array,
  [luma, blue, red]: Planes['channels'],
  c: number,
  gain: number,
): number[] {
  const [values, ...terms] = termsOf(samples, 7, (i) => {
    const y = luma[i] / 255;
    const b = blue[i] / 128;
    const r = red[i] / 128;
    return [target[i], 1, b, r, y, y * b, y * r];
  });
  const { weights } = samples;
  const line = fitted(
    { values, terms: [terms[0], terms[c]], weights },
    [0, 128 * gain],
    [0, PRIOR.colours],
    CAUCHY_SCALES.line.slice(1),
  );
  const bounded = 128 * Math.min(GAIN.max, Math.max(GAIN.min, line[1] / 128));
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

/** Takes off what is left of the light: the median difference of squares, even between their centres. */
function shade(plane: number, target: number, inside: number, { width, height }: Size, space: Workspace): void {
  const mark = space.mark();
  const side = Math.max(8, Math.ceil(Math.max(width, height) * SHADING_SQUARE_SHARE));
  const columns = Math.ceil(width / side);
  const [offsets, scratch] = [space.take(4 * columns * Math.ceil(height / side)), space.take(4 * side * side)];
  space.kernels.squareMedians(plane, target, inside, width, height, side, MAX_SHADING_OFFSET, offsets, scratch);
  space.kernels.shade(plane, width, height, side, offsets, scratch);
  space.release(mark);
}
