import { type Color, MOST_COLORS } from '../dna/palette.ts';
import type { Comparison } from '../memory/entry-list.ts';
import { oklab } from './oklab.ts';

/**
 * Words of 32 bits of an entry: the number of colours, three more of the kernel (see `assembly/mixtures.ts`), then columns
 * of MOST_COLORS words: the codes, 256 times the colour plus its share, and L, a, b and share as floats.
 */
export const ENTRY = 4 + 5 * MOST_COLORS;
/** Where the codes begin. */
export const CODES = 4;
/** Where the floats begin. */
export const PLACES = CODES + MOST_COLORS;

/** How far palettes are apart as mixtures. */
export const mixture: Comparison<readonly Color[]> = {
  entry: 4 * ENTRY,
  entryOf: paletteEntry,
  complete: (kernels, entry) => kernels.measureMixture(entry),
  kernel: (kernels, block, slots, n, query, _, out) => kernels.mixtures(block, slots, n, query, out),
};

/** @param colors  at most MOST_COLORS */
export function paletteEntry(colors: readonly Color[]): Uint8Array {
  const words = new Uint32Array(ENTRY);
  const floats = new Float32Array(words.buffer);
  words[0] = colors.length;
  colors.forEach(({ rgb, share }, i) => {
    const numbers = [...oklab(rgb >> 16, (rgb >> 8) & 255, rgb & 255), share];
    numbers.forEach((number, column) => (floats[PLACES + MOST_COLORS * column + i] = number));
    words[CODES + i] = rgb * 256 + share;
  });
  return new Uint8Array(words.buffer);
}
