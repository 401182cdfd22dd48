import type { Cost } from '../limits.ts';
import type { FileBytes } from './file-bytes.ts';

/**
 * One picture format, read far enough to know what decoding would cost. No code outside this room has seen the file
 * before, so every reader trusts nothing, allocates nothing by what the file says, and ends: each step moves forward.
 */
export interface PictureFormat {
  readonly name: string;
  /** Whether the file begins like this format. */
  matches(file: FileBytes): boolean;
  /** @throws Failure where the header is cut short, contradicts itself or tells of a variant that is not supported */
  cost(file: FileBytes): Cost;
  /** What is handed to libvips once the cost is known to be bearable. Without it: the file as it came. */
  source?(file: FileBytes): Uint8Array | Pixels | Promise<Pixels>;
}

/** Pixels decoded without libvips: red, green, blue and alpha, a byte each, row-major, upright. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}
