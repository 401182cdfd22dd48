import { Column } from '../memory/column.ts';

const NO_SLOT = -1;

/** Slots by a hash, which any number of them may share: a table of chains in flat arrays. */
export class SlotTable {
  readonly #hashOf: (slot: number) => number;
  #heads = new Int32Array(16).fill(NO_SLOT);
  readonly #next = new Column((length) => new Int32Array(length));
  readonly #previous = new Column((length) => new Int32Array(length));
  #count = 0;

  /** @param hashOf  a whole number below 2^32 whose lower bits differ; the same as long as a slot is held */
  constructor(hashOf: (slot: number) => number) {
    this.#hashOf = hashOf;
  }

  get bytes(): number {
    return this.#heads.byteLength + this.#next.bytes + this.#previous.bytes;
  }

  add(slot: number): void {
    if (this.#count === this.#heads.length) this.#grow();
    this.#next.reserve(slot + 1);
    this.#previous.reserve(slot + 1);
    this.#link(slot);
    this.#count++;
  }

  remove(slot: number): void {
    const next = this.#next.values[slot];
    const previous = this.#previous.values[slot];
    if (previous === NO_SLOT) this.#heads[this.#bucket(this.#hashOf(slot))] = next;
    else this.#next.values[previous] = next;
    if (next !== NO_SLOT) this.#previous.values[next] = previous;
    this.#count--;
  }

  /** The first slot that may have this hash; others follow by `after`. -1 for none. */
  first(hash: number): number {
    return this.#heads[this.#bucket(hash)];
  }

  after(slot: number): number {
    return this.#next.values[slot];
  }

  #bucket(hash: number): number {
    return hash & (this.#heads.length - 1);
  }

  #link(slot: number): void {
    const bucket = this.#bucket(this.#hashOf(slot));
    const next = this.#heads[bucket];
    this.#next.values[slot] = next;
    this.#previous.values[slot] = NO_SLOT;
    if (next !== NO_SLOT) this.#previous.values[next] = slot;
    this.#heads[bucket] = slot;
  }

  #grow(): void {
    const old = this.#heads;
    this.#heads = new Int32Array(2 * old.length).fill(NO_SLOT);
    for (const head of old) {
      for (let slot = head; slot !== NO_SLOT;) {
        const next = this.#next.values[slot];
        this.#link(slot);
        slot = next;
      }
    }
  }
}
