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

const COSINE = Float64Array.from({ length: WINDOW }, (_, i) => cosines[(i * 256) / WINDOW]);
const HANN = COSINE.map((cosine) => 0.5 - 0.5 * cosine);

/** The mean power of lines across and down in each band, in decibel, whole numbers; all 0 for a part smaller than a window. */
export function spectrumOf({ width, height, values }: Gray): number[] {
  const power = new Float64Array(SPECTRUM_BANDS);
  const line = new Float64Array(WINDOW);
  const add = (start: number, stride: number): void => {
    let mean = 0;
    for (let i = 0; i < WINDOW; i++) mean += values[start + i * stride] / WINDOW;
    for (let i = 0; i < WINDOW; i++) line[i] = (values[start + i * stride] - mean) * HANN[i];
    for (let band = 0; band < SPECTRUM_BANDS; band++) power[band] += powerAt(line, band);
  };
  let lines = 0;
  for (let y = 0; y < height; y += LINE_STRIDE)
    for (let x = 0; x + WINDOW <= width; x += WINDOW, lines++) add(y * width + x, 1);
  for (let x = 0; x < width; x += LINE_STRIDE)
    for (let y = 0; y + WINDOW <= height; y += WINDOW, lines++) add(y * width + x, width);
  return Array.from(power, (sum) => (lines === 0 ? 0 : Math.round(decibel(1 + sum / lines))));
}

/** Within 0.3. The bits of a float are nearly its logarithm, and the same on every machine. @param power  positive */
function decibel(power: number): number {
  const [bits] = new Uint32Array(Float32Array.of(power).buffer);
  return DECIBEL_PER_OCTAVE * (bits / (1 << 23) - 127);
}

function powerAt(line: Float64Array, frequency: number): number {
  let [real, imaginary] = [0, 0];
  for (let i = 0; i < WINDOW; i++) {
    real += line[i] * COSINE[(i * frequency) % WINDOW];
    imaginary += line[i] * COSINE[(i * frequency + WINDOW / 4) % WINDOW];
  }
  return real * real + imaginary * imaginary;
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
