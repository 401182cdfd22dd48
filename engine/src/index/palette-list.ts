import { type Color, MOST_COLORS } from '../features/palette.ts';
import { SAME } from '../features/prevalent.ts';
import { ColorDistance, PLACE, placesOf } from '../verify/color-distance.ts';

/** The colours of many pictures, by slot. */
export class PaletteList {
  /** Up to MOST_COLORS a slot: 256 times the colour plus its share; 0 after the last. */
  #codes = new Uint32Array(16 * MOST_COLORS);
  /** Where they lie, likewise. */
  #places = new Float64Array(16 * MOST_COLORS * PLACE);

  get bytes(): number {
    return this.#codes.byteLength + this.#places.byteLength;
  }

  /** Slots are filled from 0 on, without a gap; one that is there is overwritten. */
  put(slot: number, colors: readonly Color[]): void {
    const start = slot * MOST_COLORS;
    if (start >= this.#codes.length) this.#grow();
    this.#codes.fill(0, start, start + MOST_COLORS);
    colors.forEach(({ rgb, share }, i) => (this.#codes[start + i] = rgb * 256 + share));
    this.#places.set(placesOf(colors), PLACE * start);
  }

  /** How much the colours of these slots miss the asked ones; see `ColorDistance`. */
  scores(asked: readonly Color[], slots: Uint32Array): Float64Array {
    const distance = new ColorDistance(asked, MOST_COLORS);
    return Float64Array.from(slots, (slot) =>
      distance.to(this.#places, PLACE * MOST_COLORS * slot, this.codes(slot).length),
    );
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
    const end = start + PLACE * this.codes(slot).length;
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
    let end = start;
    while (end < start + MOST_COLORS && this.#codes[end] !== 0) end++;
    return this.#codes.subarray(start, end);
  }

  #grow(): void {
    const [codes, places] = [new Uint32Array(2 * this.#codes.length), new Float64Array(2 * this.#places.length)];
    codes.set(this.#codes);
    places.set(this.#places);
    this.#codes = codes;
    this.#places = places;
  }
}
