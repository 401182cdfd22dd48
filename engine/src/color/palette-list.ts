import { MAX_COLORS, type Color } from '../dna/palette.ts';
import type { Area } from '../memory/sections.ts';
import { EntryList, type Comparison } from '../memory/entry-list.ts';
import { ColorDistance, labsOf } from './color-distance.ts';
import { addFill, type Fill, type Holders, SAME_COLOR_DISTANCE } from './prevalent.ts';
import { oklab } from './oklab.ts';

/** The colours of many pictures, by slot. */
export class PaletteList {
  readonly #entries = new EntryList(mixture);

  get bytes(): number {
    return this.#entries.bytes;
  }

  /** Slots are filled from 0 on, without a gap; one that is there is overwritten. */
  put(slot: number, colors: readonly Color[]): void {
    this.#entries.put(slot, colors);
  }

  /** The entries of the first slots. */
  area(slots: number): Area {
    return this.#entries.area(slots);
  }

  /** How far the palettes of these slots are from that of a picture; see `assembly/mixtures.ts`. */
  apart(palette: readonly Color[], slots: Uint32Array): Float64Array {
    return this.#entries.scores(palette, slots, 1);
  }

  /** How much the colours of these slots miss those of the query; see `ColorDistance`. */
  missing(query: readonly Color[], slots: Uint32Array): Float64Array {
    const distance = new ColorDistance(query);
    const { words, floats } = this.#views();
    return Float64Array.from(slots, (slot) =>
      distance.to(floats, ENTRY_WORDS * slot + FLOATS_OFFSET, words[ENTRY_WORDS * slot]),
    );
  }

  /** Those of these slots whose pictures contain all of these colours, 0xrrggbb, or nearly the same. */
  having(slots: Uint32Array, colors: readonly number[]): Uint32Array {
    if (colors.length === 0) return slots;
    const wanted = labsOf(colors);
    const { words, floats } = this.#views();
    const has = (entry: number, [L, a, b]: readonly number[]): boolean => {
      const start = entry + FLOATS_OFFSET;
      for (let q = start; q < start + words[entry]; q++) {
        const x = L - floats[q];
        const y = a - floats[q + MAX_COLORS];
        const z = b - floats[q + 2 * MAX_COLORS];
        if (x * x + y * y + z * z < SAME_COLOR_DISTANCE * SAME_COLOR_DISTANCE) return true;
      }
      return false;
    };
    return slots.filter((slot) => wanted.every((lab) => has(ENTRY_WORDS * slot, lab)));
  }

  /** Adds what these slots fill of each cell. */
  addFill(slots: Uint32Array, fill: Fill): void {
    const { words } = this.#views();
    for (let i = 0; i < slots.length; i++) {
      const entry = ENTRY_WORDS * slots[i];
      addFill(fill, words, entry + CODES_OFFSET, words[entry]);
    }
  }

  /** Counts these slots. */
  countHolders(slots: Uint32Array, holders: Holders): void {
    const { words } = this.#views();
    for (let i = 0; i < slots.length; i++) {
      const entry = ENTRY_WORDS * slots[i];
      holders.add(words, entry + CODES_OFFSET, words[entry]);
    }
  }

  #views(): { words: Uint32Array; floats: Float32Array } {
    const { buffer, byteOffset, length } = this.#entries.entries();
    return {
      words: new Uint32Array(buffer, byteOffset, length / 4),
      floats: new Float32Array(buffer, byteOffset, length / 4),
    };
  }
}

/**
 * Words of 32 bits of an entry: the number of colours, three more of the kernel (see `assembly/mixtures.ts`), then columns
 * of MAX_COLORS words: the codes, 256 times the colour plus its share, and L, a, b and share as floats.
 */
const ENTRY_WORDS = 4 + 5 * MAX_COLORS;
/** Where the codes begin. */
const CODES_OFFSET = 4;
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
