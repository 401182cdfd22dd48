import { type Color, MAX_COLORS } from '../dna/palette.ts';
import type { Area } from '../memory/areas.ts';
import { EntryList } from '../memory/entry-list.ts';
import { ColorDistance, labsOf } from './color-distance.ts';
import { CODES_OFFSET, ENTRY_WORDS, mixture, FLOATS_OFFSET } from './palette-entry.ts';
import { addFill, type Fill, type Holders, SAME_COLOR_DISTANCE } from './prevalent.ts';

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
