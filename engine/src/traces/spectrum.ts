import { cosines } from '../geometry/angle.ts';
import { Workspace } from '../kernels/workspace.ts';
import type { Gray } from './gray.ts';

/** Room for a batch of lines of `lineSpectra`. */
const SCRATCH_BYTES = 4 * 2 * 64 * 128;
/** Numbers of a spectrum, from no frequency to half a cycle a pixel. */
export const SPECTRUM_BANDS = 32;

const DECIBEL_PER_OCTAVE = 3.0103;
/** By which a picture that was not enlarged falls. */
const USUAL_FALL = 6;

let held: Workspace | undefined;

/** The mean power of lines across and down in each band, in decibel, whole numbers; all 0 for a part smaller than a window. */
export function spectrumOf({ width, height, values }: Gray): number[] {
  const workspace = (held ??= new Workspace());
  const mark = workspace.mark();
  const [plane, table] = [workspace.put(values), workspace.put(cosines)];
  const [power, scratch] = [workspace.take(8 * SPECTRUM_BANDS), workspace.take(SCRATCH_BYTES)];
  const lines = workspace.kernels.lineSpectra(plane, width, height, table, power, scratch);
  const sums = workspace.doubles(power, SPECTRUM_BANDS);
  const spectrum = Array.from(sums, (sum) => (lines === 0 ? 0 : Math.round(decibel(1 + sum / lines))));
  workspace.release(mark);
  return spectrum;
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
