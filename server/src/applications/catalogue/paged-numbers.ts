const BITS = 12;
const MASK = 2 ** BITS - 1;

/** Whole numbers below 2³² by place, in pages of 16 KB: growing copies nothing. A place that was never set has 0. */
export class PagedNumbers {
  readonly #pages: Uint32Array[] = [];

  /** @param place  in a page that has a place that was set */
  get(place: number): number {
    return this.#pages[place >>> BITS]![place & MASK]!;
  }

  set(place: number, value: number): void {
    const page = (this.#pages[place >>> BITS] ??= new Uint32Array(MASK + 1));
    page[place & MASK] = value;
  }
}
