import { cosines } from '../geometry/angle.ts';
import { Workspace } from '../kernels/workspace.ts';
import type { Picture } from '../pixels/picture.ts';

/** Pixels; a smaller picture has a hash of zeros and quality 0, as in the reference implementation. */
const SMALLEST_SIDE = 5;

export const PDQ_BYTES = 32;

export interface Pdq {
  /** The bit of the highest frequencies comes first, as in the hexadecimal form that is exchanged. */
  readonly hash: Uint8Array;
  /** 0 to 100; hashes below 50 are too uncertain to match. */
  readonly quality: number;
}

let held: Workspace | undefined;

/** The hash PDQ of a picture: a bit for each of 256 frequencies, set where the coefficient exceeds their lower median. */
export function pdq({ width, height, rgb }: Picture): Pdq {
  const hash = new Uint8Array(PDQ_BYTES);
  if (Math.min(width, height) < SMALLEST_SIDE) return { hash, quality: 0 };
  const workspace = (held ??= new Workspace());
  const mark = workspace.mark();
  const out = workspace.take(4 * 256);
  const wide = Math.max(width + (width % 2), 64);
  const scratch = workspace.take(4 * (2 * wide * (height + 1) + 5120));
  const [pixels, table] = [workspace.put(rgb), workspace.put(cosines)];
  const quality = workspace.kernels.pdq(pixels, width, height, table, out, scratch);
  const coefficients = workspace.floats(out, 256).slice();
  workspace.release(mark);
  const median = coefficients.slice().sort()[127]!;
  coefficients.forEach((value, i) => {
    if (value > median) hash[PDQ_BYTES - 1 - (i >> 3)]! |= 1 << (i & 7);
  });
  return { hash, quality };
}
