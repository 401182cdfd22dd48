import { grayOf } from './gray.ts';
import { type JpegHistory, jpegHistory } from './jpeg-history.ts';
import { spectrumOf } from './spectrum.ts';

/** What the pixels of a file tell about its past. */
export interface FileTraces extends JpegHistory {
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

export function fileTraces(part: StoredPart): FileTraces {
  const gray = grayOf(part);
  const { displaced, multiples } = jpegHistory(gray, part.whole, part.steps);
  return { displaced: Math.round(10 * displaced) / 10, multiples, spectrum: spectrumOf(gray) };
}
