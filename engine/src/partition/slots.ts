import type { Steps } from '../steps.ts';
import { Column } from '../memory/column.ts';
import { SnapshotError } from '../memory/section.ts';
import type { ImageNumber } from './partition.ts';
import type { MarkedImages, Selection } from './selection.ts';
import { SlotTable } from './slot-table.ts';

/** The number of no picture, in a slot that is free. */
export const NO_IMAGE = 0xffffffff;
/** Slots that are restored in one step. */
const SLOTS_PER_STEP = 1 << 14;

/** Gives pictures small numbers, which are used again once they are free. */
export class Slots {
  readonly #images = new Column((length) => new Uint32Array(length));
  readonly #table = new SlotTable((slot) => this.#images.values[slot]);
  readonly #free: number[] = [];
  #count = 0;
  #end = 0;
  #held = false;
  #used: Uint32Array | undefined;

  get count(): number {
    return this.#count;
  }

  /** One above the highest slot ever given. */
  get end(): number {
    return this.#end;
  }

  get bytes(): number {
    return this.#images.bytes + this.#table.bytes;
  }

  put(image: ImageNumber): number {
    if (!(image < NO_IMAGE)) throw new RangeError(`picture ${image}, expected less than ${NO_IMAGE}`);
    if (this.slotOf(image) !== undefined) throw new RangeError(`picture ${image} is there already`);
    const slot = (this.#held ? undefined : this.#free.pop()) ?? this.#end++;
    this.#images.reserve(slot + 1);
    this.#images.values[slot] = image;
    this.#table.add(slot);
    this.#count++;
    this.#used = undefined;
    return slot;
  }

  /** Forgets a picture; its slot is not given again before `release`. */
  take(image: ImageNumber): number | undefined {
    const slot = this.slotOf(image);
    if (slot === undefined) return undefined;
    this.#table.remove(slot);
    this.#images.values[slot] = NO_IMAGE;
    this.#count--;
    this.#used = undefined;
    return slot;
  }

  release(slots: readonly number[]): void {
    for (const slot of slots) this.#free.push(slot);
  }

  /** While slots are held, none is given a second time. */
  hold(held: boolean): void {
    this.#held = held;
  }

  slotOf(image: ImageNumber): number | undefined {
    const images = this.#images.values;
    for (let slot = this.#table.first(image); slot >= 0; slot = this.#table.after(slot)) {
      if (images[slot] === image) return slot;
    }
    return undefined;
  }

  /** undefined for a slot that is free. */
  imageAt(slot: number): ImageNumber | undefined {
    const image = slot < this.#end ? this.#images.values[slot] : NO_IMAGE;
    return image === NO_IMAGE ? undefined : image;
  }

  /** All slots that are in use, ascending; not to be changed. */
  get used(): Uint32Array {
    if (this.#used) return this.#used;
    const used = new Uint32Array(this.#count);
    const images = this.#images.values;
    for (let slot = 0, n = 0; slot < this.#end; slot++) if (images[slot] !== NO_IMAGE) used[n++] = slot;
    return (this.#used = used);
  }

  /** The slots of those of these pictures that are held, ascending. */
  slotsOf(selection: Selection): Uint32Array {
    if ('bits' in selection) return this.#marked(selection);
    const slots = new Uint32Array(selection.count);
    let count = 0;
    for (const image of selection.images) {
      const slot = this.slotOf(image);
      if (slot !== undefined) slots[count++] = slot;
    }
    return slots.subarray(0, count).sort();
  }

  /** Sets the values of all other slots to 0. @param values  by slot, `end` of them */
  keep(selection: Selection, values: Uint16Array): void {
    if ('bits' in selection) {
      const { lowest, bits } = selection;
      const length = 32 * bits.length;
      const images = this.#images.values;
      for (let slot = 0; slot < values.length; slot++) {
        const at = images[slot] - lowest;
        values[slot] = at >= 0 && at < length ? values[slot] * ((bits[at >>> 5] >>> (at & 31)) & 1) : 0;
      }
      return;
    }
    const slots = this.slotsOf(selection);
    const kept = Uint16Array.from(slots, (slot) => values[slot]);
    values.fill(0);
    for (let i = 0; i < slots.length; i++) values[slots[i]] = kept[i];
  }

  /** For many pictures: reading all slots is faster than a look-up of each, and needs no sorting. */
  #marked({ count, lowest, bits }: MarkedImages): Uint32Array {
    const length = 32 * bits.length;
    const images = this.#images.values;
    const slots = new Uint32Array(Math.min(this.#count, count));
    let found = 0;
    for (let slot = 0; slot < this.#end; slot++) {
      const at = images[slot] - lowest;
      if (at >= 0 && at < length && (bits[at >>> 5] & (1 << (at & 31))) !== 0) slots[found++] = slot;
    }
    return slots.subarray(0, found);
  }

  /** The pictures by slot, for `restore`. */
  images(): Uint32Array<ArrayBuffer> {
    return this.#images.values.slice(0, this.#end);
  }

  /** @returns the slots without a picture, which are not given before they are released */
  *restore(images: Uint32Array): Steps<number[]> {
    const empty: number[] = [];
    this.#images.reserve(images.length);
    this.#images.values.set(images);
    this.#end = images.length;
    for (let slot = 0; slot < images.length; slot++) {
      if (slot % SLOTS_PER_STEP === SLOTS_PER_STEP - 1) yield;
      if (images[slot] === NO_IMAGE) {
        empty.push(slot);
        continue;
      }
      if (this.slotOf(images[slot]) !== undefined) throw new SnapshotError(`picture ${images[slot]} twice`);
      this.#table.add(slot);
      this.#count++;
    }
    return empty;
  }
}
