import type { Area } from './areas.ts';

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** Numbers by slot, so many a slot, in one array that grows. */
export class Column<T extends Numbers> {
  readonly #make: (length: number) => T;
  readonly #width: number;
  /** May be replaced by `reserve`. */
  values: T;

  /** @param make   a new array of zeros  @param width  numbers a slot */
  constructor(make: (length: number) => T, width = 1) {
    this.#make = make;
    this.#width = width;
    this.values = make(16 * width);
  }

  /** Makes room for so many slots. New ones are 0. */
  reserve(slots: number): void {
    const length = slots * this.#width;
    if (length <= this.values.length) return;
    const longer = this.#make(Math.max(length, 2 * this.values.length));
    longer.set(this.values);
    this.values = longer;
  }

  get bytes(): number {
    return this.values.byteLength;
  }

  /** The numbers of the first slots. */
  area(name: string, slots: number): Area {
    this.reserve(slots);
    const length = slots * this.#width * this.values.BYTES_PER_ELEMENT;
    return { name, length, view: (from, to) => new Uint8Array(this.values.buffer, from, to - from) };
  }
}
