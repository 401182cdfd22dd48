import { fail, type Failure } from '../errors.ts';

/** Largest picture file, in bytes. */
export const LARGEST_FILE = 20_000_000;
/** Most pixels of a picture before reduction. */
export const MOST_PIXELS = 50_000_000;
/** Longest side, in pixels; what WebP can hold. */
export const LONGEST_SIDE = 16_383;
/** Most bytes that decoding one picture may take at once, by its header. `CHILD_MEMORY` bounds what headers do not show. */
export const MOST_MEMORY = 256_000_000;

/** Bytes of heap, stacks and anonymous memory of a decoding child; `workers/confinement/limits.ts` sets the limit. */
export const CHILD_MEMORY = 400 * 2 ** 20;

/** The small picture that is kept of a picture: its longest side in pixels, and the most it may take in bytes. */
export const THUMBNAIL = { side: 320, bytes: 16_384 };

const MB = 1_000_000;

export function tooLargeFile(bytes: number): Failure {
  return fail('PICTURE_TOO_LARGE', `expected a file of at most ${LARGEST_FILE / MB} MB, got ${bytes} bytes`);
}

/** The cost of decoding a picture, by its header. */
export interface Cost {
  readonly width: number;
  readonly height: number;
  /** Bytes the decoder holds at once, at worst. */
  readonly memory: number;
  /** A tighter bound where decoding the format is slow. */
  readonly mostPixels?: number;
}

/** @throws Failure for a picture that would cost too much, or that has no pixel */
export function checkCost(name: string, { width, height, memory, mostPixels = MOST_PIXELS }: Cost): void {
  const got = `got a ${name} of ${width}x${height}`;
  if (width > LONGEST_SIDE || height > LONGEST_SIDE) {
    throw fail('PICTURE_TOO_LARGE', `expected sides of at most ${LONGEST_SIDE} pixels, ${got}`);
  }
  if (width * height > mostPixels) {
    throw fail('PICTURE_TOO_LARGE', `expected at most ${mostPixels / MB} million pixels, ${got}`);
  }
  if (memory > MOST_MEMORY) {
    const needed = `that takes ${Math.ceil(memory / MB)} MB to decode`;
    throw fail('PICTURE_TOO_LARGE', `expected at most ${MOST_MEMORY / MB} MB, ${got} ${needed}`);
  }
  if (width === 0 || height === 0) throw fail('DAMAGED_PICTURE', `expected at least one pixel, ${got}`);
}
