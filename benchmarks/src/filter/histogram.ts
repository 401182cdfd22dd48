import { EMBEDDING_LENGTH } from '@sosia/engine';
import type { Raster } from '@sosia/testing/pictures/raster';

const STEPS = 8;

/**
 * How much of each of 512 colours there is, in the place of the looks: the baseline, which sees nothing else. Shares are
 * under a square root.
 */
export function histogramOf({ width, height, rgb }: Raster): Uint8Array {
  const counts = new Uint32Array(STEPS * STEPS * STEPS);
  for (let at = 0; at < rgb.length; at += 3) {
    counts[((rgb[at]! >> 5) * STEPS + (rgb[at + 1]! >> 5)) * STEPS + (rgb[at + 2]! >> 5)]!++;
  }
  const bytes = new Uint8Array(EMBEDDING_LENGTH).fill(128);
  counts.forEach((count, bin) => (bytes[bin] = 128 + Math.round(127 * Math.sqrt(count / (width * height)))));
  return bytes;
}
