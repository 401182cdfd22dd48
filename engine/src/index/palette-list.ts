import { type Color, MOST_COLORS } from '../features/palette.ts';
import { type Amount, amountsOf } from '../verify/color-distance.ts';

/** Numbers kept of a colour: L, a, b, share. */
const WIDTH = 4;

/** The colours of many pictures, by slot, in two stretches of memory. */
export class PaletteList {
  #codes = new Uint32Array(16 * MOST_COLORS);
  #places = new Float64Array(16 * MOST_COLORS * WIDTH);

  get bytes(): number {
    return this.#codes.byteLength + this.#places.byteLength;
  }

  /** Colours as 256 times the colour plus the share; a slot with fewer than the most ends with 0. */
  put(slot: number, colors: readonly Color[]): void {
    const start = slot * MOST_COLORS;
    if (start >= this.#codes.length) this.#grow();
    this.#codes.fill(0, start, start + MOST_COLORS);
    amountsOf(colors).forEach(({ lab, share }, i) => {
      this.#codes[start + i] = colors[i].rgb * 256 + colors[i].share;
      this.#places.set([...lab, share], WIDTH * (start + i));
    });
  }

  amounts(slot: number): Amount[] {
    const amounts: Amount[] = [];
    const start = slot * MOST_COLORS;
    for (let i = start; i < start + MOST_COLORS && this.#codes[i] !== 0; i++) {
      const [L, a, b, share] = this.#places.subarray(WIDTH * i, WIDTH * (i + 1));
      amounts.push({ lab: [L, a, b], share });
    }
    return amounts;
  }

  /** The codes of these slots one after another, a 0 after each. */
  codes(slots: Uint32Array): Uint32Array {
    const all: number[] = [];
    for (const slot of slots) {
      for (const code of this.#codes.subarray(slot * MOST_COLORS, (slot + 1) * MOST_COLORS))
        if (code > 0) all.push(code);
      all.push(0);
    }
    return Uint32Array.from(all);
  }

  #grow(): void {
    const [codes, places] = [new Uint32Array(2 * this.#codes.length), new Float64Array(2 * this.#places.length)];
    codes.set(this.#codes);
    places.set(this.#places);
    this.#codes = codes;
    this.#places = places;
  }
}
