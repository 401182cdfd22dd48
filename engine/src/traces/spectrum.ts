import { cosines } from '../geometry/angle.ts';
import type { Gray } from './gray.ts';

/** Pixels of a line that one transform takes, and lines that are passed over between two. */
const WINDOW = 64;
const LINE_STRIDE = 4;
/** Numbers of a spectrum, from no frequency to half a cycle a pixel. */
export const SPECTRUM_BANDS = 32;

const DECIBEL_PER_OCTAVE = 3.0103;
/** By which a picture that was not enlarged falls. */
const USUAL_FALL = 6;

const HANN = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * cosines[(i * 256) / WINDOW]);
/** The places of a window by their bits in reverse order. */
const REVERSED = [1, 2, 4, 8, 16, 32].reduce<number[]>(
  (places, bit) => places.flatMap((place) => [place, place + bit]),
  [0],
);

/** The mean power of lines across and down in each band, in decibel, whole numbers; all 0 for a part smaller than a window. */
export function spectrumOf({ width, height, values }: Gray): number[] {
  const power = new Float64Array(SPECTRUM_BANDS);
  const two = [new Float64Array(WINDOW), new Float64Array(WINDOW)] as const;
  let lines = 0;
  const add = (start: number, stride: number): void => {
    const line = two[lines++ % 2];
    let mean = 0;
    for (let i = 0; i < WINDOW; i++) mean += values[start + i * stride] / WINDOW;
    for (let i = 0; i < WINDOW; i++) line[REVERSED[i]] = (values[start + i * stride] - mean) * HANN[i];
    if (lines % 2 === 0) addPower(power, ...two);
  };
  for (let y = 0; y < height; y += LINE_STRIDE) for (let x = 0; x + WINDOW <= width; x += WINDOW) add(y * width + x, 1);
  for (let x = 0; x < width; x += LINE_STRIDE)
    for (let y = 0; y + WINDOW <= height; y += WINDOW) add(y * width + x, width);
  if (lines % 2 === 1) addPower(power, two[0], new Float64Array(WINDOW));
  return Array.from(power, (sum) => (lines === 0 ? 0 : Math.round(decibel(1 + sum / lines))));
}

/** Adds the power of two lines, of which one transform takes the second as imaginary. Their values are lost. */
function addPower(power: Float64Array, re: Float64Array, im: Float64Array): void {
  transform(re, im);
  for (let band = 0; band < SPECTRUM_BANDS; band++)
    for (const i of [band, (WINDOW - band) % WINDOW]) power[band] += (re[i] * re[i] + im[i] * im[i]) / 2;
}

/** The discrete Fourier transform in place, of values at `REVERSED` places. */
function transform(re: Float64Array, im: Float64Array): void {
  for (let half = 1; half < WINDOW; half *= 2)
    for (let k = 0; k < half; k++) {
      const angle = (k * 128) / half;
      const [cos, sin] = [cosines[angle], cosines[angle + 64]];
      for (let i = k; i < WINDOW; i += 2 * half) {
        const j = i + half;
        const u = re[j] * cos - im[j] * sin;
        const v = re[j] * sin + im[j] * cos;
        re[j] = re[i] - u;
        im[j] = im[i] - v;
        re[i] += u;
        im[i] += v;
      }
    }
}

/** Within 0.3. The bits of a float are nearly its logarithm, and the same on every machine. @param power  positive */
function decibel(power: number): number {
  const [bits] = new Uint32Array(Float32Array.of(power).buffer);
  return DECIBEL_PER_OCTAVE * (bits / (1 << 23) - 127);
}

/**
 * What a larger picture lacks of the finest detail of a smaller one of the same scene, in decibel: above 0 where the larger one was enlarged,
 * below where the smaller one was reduced.
 * @param scale  sides of the larger one by those of the smaller one
 */
export function missingDetail(larger: readonly number[], smaller: readonly number[], scale: number): number {
  const level = decibel(scale);
  const excess = (band: number): number => smaller[band] + level - at(larger, band / scale);
  const [coarse, fine] = [meanOver(6, 13, excess), meanOver(25, 31, excess)];
  const end = SPECTRUM_BANDS / scale;
  const beyond = meanOver(1.1 * end, 1.4 * end, (band) => at(larger, band));
  const finest = meanOver(27, 31, (band) => smaller[band]) + level;
  return fine - coarse + finest - beyond - coarse - USUAL_FALL;
}

function meanOver(from: number, to: number, value: (band: number) => number): number {
  const [first, last] = [from, to].map((band) => Math.min(SPECTRUM_BANDS - 1, Math.round(band)));
  let sum = 0;
  for (let band = first; band <= last; band++) sum += value(band);
  return sum / (last - first + 1);
}

/** Between two bands. */
function at(spectrum: readonly number[], band: number): number {
  const lower = Math.min(SPECTRUM_BANDS - 1, Math.max(1, Math.floor(band)));
  const upper = Math.min(SPECTRUM_BANDS - 1, lower + 1);
  const share = Math.min(1, Math.max(0, band - lower));
  return spectrum[lower] * (1 - share) + spectrum[upper] * share;
}
