import { type Color, MOST_COLORS } from '../dna/palette.ts';
import type { Area } from '../memory/areas.ts';
import { Column } from '../memory/column.ts';
import { ColorDistance, PLACE, placesOf } from './color-distance.ts';
import { lengthOf, MixtureDistance } from './mixture-distance.ts';
import { SAME } from './prevalent.ts';

/** The colours of many pictures, by slot. */
export class PaletteList {
  /** How many each slot has. */
  readonly #counts = new Column((length) => new Uint8Array(length));
  /** MOST_COLORS a slot: 256 times the colour plus its share. */
  readonly #codes = new Column((length) => new Uint32Array(length), MOST_COLORS);
  /** Where they lie, likewise. */
  readonly #places = new Column((length) => new Float64Array(length), MOST_COLORS * PLACE);
  /** What `MixtureDistance` divides by. */
  readonly #lengths = new Column((length) => new Float64Array(length));

  get bytes(): number {
    return this.#counts.bytes + this.#codes.bytes + this.#places.bytes + this.#lengths.bytes;
  }

  /** Slots are filled from 0 on, without a gap; one that is there is overwritten. */
  put(slot: number, colors: readonly Color[]): void {
    const start = slot * MOST_COLORS;
    for (const column of [this.#counts, this.#codes, this.#places, this.#lengths]) column.reserve(slot + 1);
    this.#counts.values[slot] = colors.length;
    colors.forEach(({ rgb, share }, i) => (this.#codes.values[start + i] = rgb * 256 + share));
    this.#places.values.set(placesOf(colors), PLACE * start);
    this.#lengths.values[slot] = lengthOf(this.#places.values, PLACE * start, colors.length);
  }

  /** All of the first slots. */
  areas(slots: number): Area[] {
    return [
      this.#counts.area('counts', slots),
      this.#codes.area('codes', slots),
      this.#places.area('colors', slots),
      this.#lengths.area('spreads', slots),
    ];
  }

  /** How far the palettes of these slots are from that of a picture; see `MixtureDistance`. */
  apart(palette: readonly Color[], slots: Uint32Array): Float64Array {
    const distance = new MixtureDistance(palette);
    const scores = new Float64Array(slots.length);
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      scores[i] = distance.to(
        this.#places.values,
        PLACE * MOST_COLORS * slot,
        this.#counts.values[slot],
        this.#lengths.values[slot],
      );
    }
    return scores;
  }

  /** How much the colours of these slots miss those of the query; see `ColorDistance`. */
  missing(query: readonly Color[], slots: Uint32Array): Float64Array {
    const distance = new ColorDistance(query, MOST_COLORS);
    const scores = new Float64Array(slots.length);
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      scores[i] = distance.to(this.#places.values, PLACE * MOST_COLORS * slot, this.#counts.values[slot]);
    }
    return scores;
  }

  /** Those of these slots whose pictures contain all of these colours, 0xrrggbb, or nearly the same. */
  having(slots: Uint32Array, colors: readonly number[]): Uint32Array {
    const wanted = placesOf(colors.map((rgb) => ({ rgb, share: 0 })));
    return slots.filter((slot) => {
      for (let p = 0; p < wanted.length; p += PLACE) if (!this.#has(slot, wanted, p)) return false;
      return true;
    });
  }

  #has(slot: number, wanted: Float64Array, p: number): boolean {
    const places = this.#places.values;
    const start = PLACE * MOST_COLORS * slot;
    const end = start + PLACE * this.#counts.values[slot];
    for (let q = start; q < end; q += PLACE) {
      const L = wanted[p] - places[q];
      const a = wanted[p + 1] - places[q + 1];
      const b = wanted[p + 2] - places[q + 2];
      if (L * L + a * a + b * b < SAME * SAME) return true;
    }
    return false;
  }

  /** The colours of one picture, 256 times the colour plus its share; a view. */
  codes(slot: number): Uint32Array {
    const start = slot * MOST_COLORS;
    return this.#codes.values.subarray(start, start + this.#counts.values[slot]);
  }
}
