import { grayOf } from './gray.ts';
import { type JpegHistory, jpegHistory } from './jpeg-history.ts';
import { spectrumOf } from './spectrum.ts';

/** What the pixels of a file tell about its past. */
export interface FileTraces extends JpegHistory {
  /** Mean of the finest steps of the file's own compression as JPEG; 0 where it is none. Larger loses more. */
  readonly step: number;
  /** See `spectrumOf`. */
  readonly spectrum: readonly number[];
}

/** A part of a picture as it is stored, not turned by EXIF and not reduced, from a pixel on whose coordinates are multiples of 8. */
export interface StoredPart {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  /** The whole picture as it is stored. */
  readonly whole: { readonly width: number; readonly height: number };
  /** 64 steps of luma in the order of the file; null where it is no JPEG. */
  readonly steps: readonly number[] | null;
}

/** Steps that count for the mean, those of low frequencies. */
const LOW_STEPS = 15;

export function fileTraces(part: StoredPart): FileTraces {
  const gray = grayOf(part);
  const low = part.steps?.slice(0, LOW_STEPS) ?? [];
  const { displaced, uneven } = jpegHistory(gray, part.whole, part.steps);
  return {
    displaced: tenths(displaced),
    uneven: tenths(uneven),
    step: low.length === 0 ? 0 : tenths(low.reduce((sum, step) => sum + step, 0) / low.length),
    spectrum: spectrumOf(gray),
  };
}

function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}
