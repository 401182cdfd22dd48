import type { ImageNumber } from './partition.ts';

/** Gives pictures small numbers, which are used again once they are free, and keeps something for each. */
export class Slots<T> {
  readonly #slotOf = new Map<ImageNumber, number>();
  readonly #entries: ({ image: ImageNumber; value: T } | undefined)[] = [];
  readonly #free: number[] = [];
  #used: Uint32Array | undefined;

  get count(): number {
    return this.#slotOf.size;
  }

  /** One above the highest slot ever given. */
  get end(): number {
    return this.#entries.length;
  }

  put(image: ImageNumber, value: T): number {
    if (this.#slotOf.has(image)) throw new RangeError(`picture ${image} is there already`);
    const slot = this.#free.pop() ?? this.#entries.length;
    this.#slotOf.set(image, slot);
    this.#entries[slot] = { image, value };
    this.#used = undefined;
    return slot;
  }

  /** Forgets a picture; its slot is not given again before `release`. */
  take(image: ImageNumber): { slot: number; value: T } | undefined {
    const slot = this.#slotOf.get(image);
    if (slot === undefined) return undefined;
    const value = this.#entries[slot]!.value;
    this.#slotOf.delete(image);
    this.#entries[slot] = undefined;
    this.#used = undefined;
    return { slot, value };
  }

  release(slots: readonly number[]): void {
    this.#free.push(...slots);
  }

  slotOf(image: ImageNumber): number | undefined {
    return this.#slotOf.get(image);
  }

  /** All slots that are in use, ascending; not to be changed. */
  get used(): Uint32Array {
    if (this.#used) return this.#used;
    const used = new Uint32Array(this.count);
    let n = 0;
    this.#entries.forEach((entry, slot) => entry && (used[n++] = slot));
    return (this.#used = used);
  }

  /** The slots of those of these pictures that are held, ascending. */
  slotsOf(images: Iterable<ImageNumber>): Uint32Array {
    if (images instanceof Uint32Array && 8 * images.length > this.count) {
      const [lowest, highest] = bounds(images);
      if (highest - lowest < 16 * images.length) return this.#slotsBetween(lowest, highest, images);
    }
    const slots: number[] = [];
    for (const image of images) {
      const slot = this.#slotOf.get(image);
      if (slot !== undefined) slots.push(slot);
    }
    return Uint32Array.from(slots).sort();
  }

  /** For many pictures: marking them and reading all slots is much faster than a look-up of each, and needs no sorting. */
  #slotsBetween(lowest: number, highest: number, images: Uint32Array): Uint32Array {
    const marked = new Uint8Array(highest - lowest + 1);
    for (const image of images) marked[image - lowest] = 1;
    return this.used.filter((slot) => marked[this.#entries[slot]!.image - lowest]);
  }

  /** undefined for a slot that is free. */
  at(slot: number): { image: ImageNumber; value: T } | undefined {
    return this.#entries[slot];
  }
}

function bounds(images: Uint32Array): [lowest: number, highest: number] {
  let [lowest, highest] = [Infinity, 0];
  for (const image of images) {
    lowest = Math.min(lowest, image);
    highest = Math.max(highest, image);
  }
  return [lowest, highest];
}
