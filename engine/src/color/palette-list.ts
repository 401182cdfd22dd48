import { type Color, MOST_COLORS } from '../dna/palette.ts';
import { ColorDistance, PLACE, placesOf } from './color-distance.ts';
import { lengthOf, MixtureDistance } from './mixture-distance.ts';
import { SAME } from './prevalent.ts';

/** The colours of many pictures, by slot. */
export class PaletteList {
  /** How many each slot has. */
  #counts = new Uint8Array(16);
  /** MOST_COLORS a slot: 256 times the colour plus its share. */
  #codes = new Uint32Array(16 * MOST_COLORS);
  /** Where they lie, likewise. */
  #places = new Float64Array(16 * MOST_COLORS * PLACE);
  /** What `MixtureDistance` divides by. */
  #lengths = new Float64Array(16);

  get bytes(): number {
    return this.#counts.byteLength + this.#codes.byteLength + this.#places.byteLength + this.#lengths.byteLength;
  }

  /** Slots are filled from 0 on, without a gap; one that is there is overwritten. */
  put(slot: number, colors: readonly Color[]): void {
    const start = slot * MOST_COLORS;
    if (start >= this.#codes.length) this.#grow();
    this.#counts[slot] = colors.length;
    colors.forEach(({ rgb, share }, i) => (this.#codes[start + i] = rgb * 256 + share));
    this.#places.set(placesOf(colors), PLACE * start);
    this.#lengths[slot] = lengthOf(this.#places, PLACE * start, colors.length);
  }

  /** How far the palettes of these slots are from that of a picture; see `MixtureDistance`. */
  apart(palette: readonly Color[], slots: Uint32Array): Float64Array {
    const distance = new MixtureDistance(palette);
    const scores = new Float64Array(slots.length);
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      scores[i] = distance.to(this.#places, PLACE * MOST_COLORS * slot, this.#counts[slot], this.#lengths[slot]);
    }
    return scores;
  }

  /** How much the colours of these slots miss those of the query; see `ColorDistance`. */
  missing(query: readonly Color[], slots: Uint32Array): Float64Array {
    const distance = new ColorDistance(query, MOST_COLORS);
    const scores = new Float64Array(slots.length);
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      scores[i] = distance.to(this.#places, PLACE * MOST_COLORS * slot, this.#counts[slot]);
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
    const places = this.#places;
    const start = PLACE * MOST_COLORS * slot;
    const end = start + PLACE * this.#counts[slot];
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
    return this.#codes.subarray(start, start + this.#counts[slot]);
  }

  #grow(): void {
    const twice = <T extends Uint8Array | Uint32Array | Float64Array>(list: T, longer: T): T => {
      longer.set(list);
      return longer;
    };
    this.#counts = twice(this.#counts, new Uint8Array(2 * this.#counts.length));
    this.#codes = twice(this.#codes, new Uint32Array(2 * this.#codes.length));
    this.#places = twice(this.#places, new Float64Array(2 * this.#places.length));
    this.#lengths = twice(this.#lengths, new Float64Array(2 * this.#lengths.length));
  }
}
