import type { Cost } from '../limits.ts';
import type { FileBytes } from './file-bytes.ts';

/**
 * One picture format, read far enough to compute the cost of decoding. Nothing has checked the file before: a reader trusts
 * no field, allocates nothing by a field, and ends, since each step moves forward.
 */
export interface PictureFormat {
  readonly name: string;
  /** Whether the file begins like this format. */
  readonly matches: (file: FileBytes) => boolean;
  /** @throws Failure where the header is cut short, contradicts itself or names a variant that is not supported */
  cost(file: FileBytes): Cost;
  /** What libvips gets after the check of the cost; by default the file itself. */
  source?(file: FileBytes): Uint8Array | Pixels;
  /** libheif decodes it, see `heicPixels`. */
  readonly byLibheif?: true;
}

/** Pixels decoded without libvips: red, green, blue and alpha, a byte each, row-major, upright. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}
