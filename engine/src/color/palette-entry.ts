import { type Color, MAX_COLORS } from '../dna/palette.ts';
import type { Comparison } from '../memory/entry-list.ts';
import { oklab } from './oklab.ts';

/**
 * Words of 32 bits of an entry: the number of colours, three more of the kernel (see `assembly/mixtures.ts`), then columns
 * of MAX_COLORS words: the codes, 256 times the colour plus its share, and L, a, b and share as floats.
 */
export const ENTRY_WORDS = 4 + 5 * MAX_COLORS;
/** Where the codes begin. */
export const CODES_OFFSET = 4;
/** Where the floats begin. */
export const FLOATS_OFFSET = CODES_OFFSET + MAX_COLORS;

/** How far palettes are apart as mixtures. */
export const mixture: Comparison<readonly Color[]> = {
  entry: 4 * ENTRY_WORDS,
  entryOf: paletteEntry,
  complete: (kernels, entry) => kernels.measureMixture(entry),
  kernel: (kernels, block, slots, n, query, _, out) => kernels.mixtures(block, slots, n, query, out),
};

/** @param colors  at most MAX_COLORS */
export function paletteEntry(colors: readonly Color[]): Uint8Array {
  const words = new Uint32Array(ENTRY_WORDS);
  const floats = new Float32Array(words.buffer);
  words[0] = colors.length;
  colors.forEach(({ rgb, share }, i) => {
    const numbers = [...oklab(rgb >> 16, (rgb >> 8) & 255, rgb & 255), share];
    numbers.forEach((number, column) => (floats[FLOATS_OFFSET + MAX_COLORS * column + i] = number));
    words[CODES_OFFSET + i] = rgb * 256 + share;
  });
  return new Uint8Array(words.buffer);
}
