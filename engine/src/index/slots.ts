import type { ImageNumber } from '../recipes/recipe.ts';

/** Gives pictures small numbers, which are used again once they are free, and keeps something for each. */
export class Slots<T> {
  readonly #slotOf = new Map<ImageNumber, number>();
  readonly #entries: ({ image: ImageNumber; value: T } | undefined)[] = [];
  readonly #free: number[] = [];

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
    return slot;
  }

  /** Forgets a picture; its slot is not given again before `release`. */
  take(image: ImageNumber): { slot: number; value: T } | undefined {
    const slot = this.#slotOf.get(image);
    if (slot === undefined) return undefined;
    const value = this.#entries[slot]!.value;
    this.#slotOf.delete(image);
    this.#entries[slot] = undefined;
    return { slot, value };
  }

  release(slots: readonly number[]): void {
    this.#free.push(...slots);
  }

  slotOf(image: ImageNumber): number | undefined {
    return this.#slotOf.get(image);
  }

  /** undefined for a slot that is free. */
  at(slot: number): { image: ImageNumber; value: T } | undefined {
    return this.#entries[slot];
  }
}
