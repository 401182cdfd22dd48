import { loadKernels } from '../../kernels/kernels.ts';
import { type Area, areaOf, type Restoring } from '../../memory/areas.ts';
import { SnapshotError } from '../../memory/section.ts';
import type { Steps } from '../../steps.ts';
import { WORDS } from '../features/vocabulary.ts';

/** Features a picture may have, twice as many with inverted ones. */
const MOST_FEATURES = 4096;
/** Postings that are merged or swept in one piece of work: less than a millisecond. */
const QUOTA = 1 << 19;
/** Postings of a full block that are merged with each picture added to another one. */
const BESIDE = 1 << 14;
/** Entries of a query that are looked up in one piece of work. */
const PIECE = 128;
/** Slots of one block, all that a posting has bits for: the votes of so many take half a megabyte. */
const MOST_SLOTS = 1 << 16;

/** What a posting gains that differs in so many bits, in 1/256. Measured, see docs/experiments/2026-11-22-finer-terms.md. */
export const NEARNESS = Uint16Array.from({ length: 41 }, (_, off) => {
  const near = Math.max(0, 1 - (off * off) / 156.25);
  return Math.round(256 * near * near * near * near);
});

/** Two numbers for each feature of a reference, its word and 40 bits of its signature; see `insert` in assembly/lists.ts. */
export type Postings = Uint32Array;

/** A query in one variant: entries of four numbers, by word; see `vote` in assembly/lists.ts. */
export type ListQuery = Uint32Array;

/** Bytes of a list in its table, of a posting in the base, and in the buffer; see assembly/lists.ts. */
const [LIST, POSTING, LATE] = [16, 7, 12];
const TABLE = LIST * (WORDS + 1);
/** What `accept` returns for lists that are wrong. */
const WRONG = -1;

/** The lists of a part of the pictures. */
class Block {
  readonly #kernels = loadKernels();
  readonly #features = this.#kernels.claim(8 * MOST_FEATURES);
  readonly #nearness = this.#kernels.claim(NEARNESS.byteLength);
  readonly #slots: number;
  /** One above the highest slot ever added. */
  #end = 0;
  /** The name of the content in snapshots, if it is in one and has not changed since. */
  #part: string | undefined;

  /** @param slots  which are in the block once it is full */
  constructor(slots: number) {
    this.#slots = slots;
    this.#kernels.openLists(WORDS);
    this.#bytes(this.#nearness, NEARNESS.byteLength).set(new Uint8Array(NEARNESS.buffer));
  }

  get bytes(): number {
    return this.#kernels.usedBytes();
  }

  add(slot: number, postings: Postings): void {
    this.#integers(this.#features, postings.length).set(postings);
    this.#kernels.insert(slot, this.#features, postings.length / 2);
    this.#end = Math.max(this.#end, slot + 1);
    this.#part = undefined;
  }

  /** Merges a part of what was added last; nothing where all of it is merged, or the lists are frozen. */
  settle(): void {
    this.#kernels.settle(BESIDE);
  }

  *remove(slots: readonly number[]): Steps<void> {
    this.#part = undefined;
    while (!this.#kernels.settle(QUOTA)) yield;
    const at = this.#kernels.spare(this.#end);
    const dead = this.#bytes(at, this.#end).fill(0);
    for (const slot of slots) dead[slot] = 1;
    while (!this.#kernels.sweep(at, this.#end, QUOTA)) yield;
  }

  /** @returns a view that the next call overwrites */
  *votes(variants: readonly ListQuery[], norms: Uint16Array, least: number): Steps<Uint32Array> {
    const slots = norms.length;
    const longest = Math.max(...variants.map(({ length }) => length));
    const given = this.#kernels.spare(22 * slots + 4 * longest);
    const best = given + 8 * slots;
    const own = best + 4 * slots;
    const every = own + 4 * slots;
    const at = every + 4 * slots;
    const divisors = at + 4 * longest;
    this.#bytes(given, 12 * slots).fill(0);
    let found = 0;
    for (const entries of variants) {
      this.#integers(at, entries.length).set(entries);
      const count = entries.length / 4;
      let voted = 0;
      for (let from = 0; from < count; from += PIECE) {
        const to = Math.min(from + PIECE, count);
        voted = this.#kernels.vote(at, from, to, this.#nearness, given, own, voted);
        yield;
      }
      found = this.#kernels.keepMost(given, own, voted, best, every, found);
    }
    this.#bytes(divisors, 2 * slots).set(new Uint8Array(norms.buffer, norms.byteOffset, 2 * slots));
    return this.#integers(given, 2 * this.#kernels.select(every, found, best, divisors, least, given));
  }

  /** Work before the lists can be frozen, a piece of it. @returns whether they are */
  freeze(): boolean {
    return this.#kernels.freeze(QUOTA) !== 0;
  }

  thaw(): void {
    this.#kernels.thaw();
  }

  /** Postings of the frozen lists, settled and late. */
  get postings(): readonly [number, number] {
    return [this.#kernels.settledPostings(), this.#kernels.latePostings()];
  }

  /** Of frozen lists; the table is copied, since it changes with each insertion. @param part  its name from now on if it is full */
  areas(part: string): Area[] {
    const [settled, late] = this.postings;
    if (this.#end === this.#slots && late === 0) this.#part ??= part;
    const table = areaOf('lists', this.#bytes(this.#kernels.tableAt(), TABLE).slice());
    return [table, ...this.#postings(settled, late)].map((area) => ({ ...area, part: this.#part }));
  }

  *restore(end: number, settled: number, late: number, sections: Restoring): Steps<void> {
    const kernels = this.#kernels;
    this.#part = sections.part;
    kernels.restore(settled, late);
    const table = { name: 'lists', length: TABLE, view: this.#viewFrom(() => kernels.tableAt()) };
    for (const area of [table, ...this.#postings(settled, late)]) yield* sections.fill(area);
    for (let next = 0; next <= WORDS; yield) {
      next = kernels.accept(next, end, QUOTA);
      if (next === WRONG) throw new SnapshotError('the lists do not fit together');
    }
    this.#end = end;
  }

  #postings(settled: number, late: number): Area[] {
    const kernels = this.#kernels;
    return [
      { name: 'postings', length: POSTING * settled, view: this.#viewFrom(() => kernels.baseAt()) },
      { name: 'late', length: LATE * late, view: this.#viewFrom(() => kernels.bufferAt()) },
    ];
  }

  #viewFrom(at: () => number): Area['view'] {
    return (from, to) => this.#bytes(at() + from, to - from);
  }

  #bytes(at: number, n: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#kernels.memory.buffer, at, n);
  }

  #integers(at: number, n: number): Uint32Array {
    return new Uint32Array(this.#kernels.memory.buffer, at, n);
  }
}

/**
 * For each visual word the features that have it, known by the slots of their pictures. Seven bytes a feature. The lists are in blocks:
 * the votes of one fit a cache, a merge or a removal moves only its own, and all may be larger than the memory of one WebAssembly
 * instance.
 */
export class FeatureLists {
  readonly #blocks: Block[] = [];
  readonly #slots: number;

  /** @param slots  of a block; fewer only in tests */
  constructor(slots = MOST_SLOTS) {
    this.#slots = slots;
  }

  /** How many blocks so many slots take. */
  blocksOf(slots: number): number {
    return Math.ceil(slots / this.#slots);
  }

  /** Memory of the lists and of the work on them. */
  get bytes(): number {
    return this.#blocks.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** @param slot  not above those ever added by more than one block */
  add(slot: number, postings: Postings): void {
    const block = Math.floor(slot / this.#slots);
    while (this.#blocks.length <= block) this.#blocks.push(new Block(this.#slots));
    this.#blocks[block].add(slot % this.#slots, postings);
    if (block > 0) this.#blocks[block - 1].settle();
  }

  /** Removes pictures; reads all lists of their blocks. Nothing else may be done with the lists before the last step. */
  *remove(slots: readonly number[]): Steps<void> {
    for (const [i, block] of this.#blocks.entries()) {
      const own = slots.filter((slot) => Math.floor(slot / this.#slots) === i);
      if (own.length > 0) yield* block.remove(own.map((slot) => slot % this.#slots));
    }
  }

  /**
   * The slots with votes, in the variant in which they are most: each entry gives the largest gain, once. Nothing may be added before
   * the last step.
   * @param norms  of all slots
   * @param least  of the score of a slot that is listed; may grow from block to block
   * @param take   gets slots, counted from `first`, and their votes, a view, for each block
   */
  *votes(
    variants: readonly ListQuery[],
    norms: Uint16Array,
    least: () => number,
    take: (pairs: Uint32Array, first: number) => void,
  ): Steps<void> {
    for (const [i, block] of this.#blocks.entries()) {
      const first = i * this.#slots;
      take(yield* block.votes(variants, norms.subarray(first, first + this.#slots), least()), first);
      yield;
    }
  }

  /** Before a snapshot: ends the merges under way. Pictures may be added between two steps. The lists are frozen after the last one. */
  *freeze(): Steps<void> {
    while (this.#blocks.map((block) => block.freeze()).includes(false)) yield;
  }

  /** Frozen lists take additions, and no removals. */
  thaw(): void {
    for (const block of this.#blocks) block.thaw();
  }

  /** Postings of each block, settled and late. */
  get postings(): number[] {
    return this.#blocks.flatMap(({ postings }) => postings);
  }

  /** Of frozen lists; those of a full block are a part. @param snapshot  a number, which is that of no earlier snapshot */
  areas(snapshot: number): Area[] {
    return this.#blocks.flatMap((block, i) => block.areas(`${i}-${snapshot}`));
  }

  /** @param postings  of each block, see there */
  *restore(slots: number, postings: Uint32Array, sections: Restoring): Steps<void> {
    for (let i = 0; 2 * i < postings.length; i++) {
      const block = new Block(this.#slots);
      this.#blocks.push(block);
      const end = Math.min(this.#slots, slots - i * this.#slots);
      yield* block.restore(end, postings[2 * i], postings[2 * i + 1], sections);
    }
  }
}
