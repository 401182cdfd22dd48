import { loadKernels } from '../../kernels/kernels.ts';
import { type Area, areaOf, type SectionReader } from '../../memory/areas.ts';
import { SnapshotError } from '../../memory/section.ts';
import type { Scored } from '../../partition/best-scores.ts';
import type { Steps } from '../../steps.ts';
import { WORD_COUNT } from '../features/vocabulary.ts';
import { type Best, bestOf, type ListQuery, type Lists, NEARNESS_WEIGHTS } from './counted-votes.ts';

/** Features a picture may have, twice as many with inverted ones. */
const MAX_FEATURES = 4096;
/** Postings that are merged or swept in one piece of work: less than a millisecond. */
export const POSTINGS_PER_STEP = 1 << 19;

/** Two numbers for each feature of a reference, its word and 40 bits of its signature; see `insert` in assembly/lists.ts. */
export type Postings = Uint32Array;

/** Bytes of a list in its table, of a posting in the base, and in the buffer; see assembly/lists.ts. */
const LIST_BYTES = 16;
const POSTING_BYTES = 7;
const BUFFERED_POSTING_BYTES = 12;
const TABLE_BYTES = LIST_BYTES * (WORD_COUNT + 1);
/** What `accept` returns for lists that are wrong. */
export const INVALID_LISTS = -1;
/** In the place of a picture that was removed. */
const REMOVED_SLOT = 0xffffffff;

/** The lists of the pictures that were added last to a block. They have numbers of their own, in the order in which they came. */
export class RecentLists {
  readonly #kernels = loadKernels();
  readonly #features = this.#kernels.allocate(8 * MAX_FEATURES);
  readonly #lists: Lists;
  readonly #slots: Uint32Array<ArrayBuffer>;
  #end = 0;

  /** @param most  pictures, at most 2^16 */
  constructor(most: number) {
    const kernels = this.#kernels;
    const nearness = kernels.allocate(NEARNESS_WEIGHTS.byteLength);
    kernels.openLists(WORD_COUNT);
    new Uint16Array(kernels.memory.buffer, nearness, NEARNESS_WEIGHTS.length).set(NEARNESS_WEIGHTS);
    const spare = (bytes: number): number => kernels.spare(bytes);
    this.#lists = { kernels, nearness, spare, vote: (...args) => kernels.vote(...args) };
    this.#slots = new Uint32Array(most);
  }

  get bytes(): number {
    return this.#kernels.usedBytes() + this.#slots.byteLength;
  }

  get full(): boolean {
    return this.#end === this.#slots.length;
  }

  /** Of the pictures in their order, in the block. */
  get slots(): Uint32Array<ArrayBuffer> {
    return this.#slots.subarray(0, this.#end);
  }

  add(slot: number, postings: Postings): void {
    this.#integers(this.#features, postings.length).set(postings);
    this.#kernels.insert(this.#end, this.#features, postings.length / 2);
    this.#slots[this.#end++] = slot;
  }

  /** Merges so many postings into the lists. @returns whether all are */
  settle(postings: number): boolean {
    return this.#kernels.settle(postings) !== 0;
  }

  /** Removes pictures from settled lists. @returns how many of these slots were there */
  *remove(slots: ReadonlySet<number>): Steps<number> {
    const at = this.#kernels.spare(this.#end);
    const dead = this.#bytes(at, this.#end).fill(0);
    let found = 0;
    for (const [i, slot] of this.slots.entries()) {
      if (!slots.has(slot)) continue;
      dead[i] = 1;
      this.#slots[i] = REMOVED_SLOT;
      found++;
    }
    if (found > 0) while (!this.#kernels.sweep(at, this.#end, POSTINGS_PER_STEP)) yield;
    return found;
  }

  /** See `bestOf`. */
  *best(variants: readonly ListQuery[], norms: Uint16Array, wanted: Best): Steps<Scored> {
    const { slots: all } = this;
    const writeNorms = (into: Uint16Array): void => {
      for (let i = 0; i < all.length; i++) into[i] = norms[all[i]];
    };
    const { slots, scores } = yield* bestOf(this.#lists, variants, { slots: all.length, writeNorms }, wanted);
    return { slots: slots.map((i) => all[i]), scores };
  }

  /** How many postings each of some settled lists has. */
  lengths(first: number, last: number): Uint32Array {
    const table = this.#table(first, last);
    const lengths = new Uint32Array(last - first);
    for (let i = 0; i < lengths.length; i++)
      lengths[i] = table[(LIST_BYTES / 4) * (i + 1)] - table[(LIST_BYTES / 4) * i];
    return lengths;
  }

  /** Some settled lists, as they are in the base; a view. */
  settled(first: number, last: number): Uint8Array {
    const table = this.#table(first, last);
    const start = table[0];
    return this.#bytes(
      this.#kernels.baseAt() + POSTING_BYTES * start,
      POSTING_BYTES * (table[(LIST_BYTES / 4) * (last - first)] - start),
    );
  }

  /** Work before the lists can be frozen, a piece of it. @returns whether they are */
  freeze(): boolean {
    return this.#kernels.freeze(POSTINGS_PER_STEP) !== 0;
  }

  thaw(): void {
    this.#kernels.thaw();
  }

  /** Pictures, and their settled and late postings, of frozen lists. */
  get numbers(): [pictures: number, settled: number, late: number] {
    return [this.#end, this.#kernels.settledPostings(), this.#kernels.bufferedPostings()];
  }

  /** Of frozen lists; the table is copied, since it changes with each insertion. */
  areas(): Area[] {
    const [, settled, late] = this.numbers;
    return [
      areaOf('recent', this.slots.slice()),
      areaOf('lists', this.#bytes(this.#kernels.tableAt(), TABLE_BYTES).slice()),
      ...this.#postings(settled, late),
    ];
  }

  /** @param slots  of the block */
  *restore([pictures, settled, late]: readonly number[], slots: number, sections: SectionReader): Steps<void> {
    const kernels = this.#kernels;
    if (pictures > this.#slots.length) throw new SnapshotError(`${pictures} recent pictures`);
    yield* sections.fill(areaOf('recent', this.#slots.subarray(0, pictures)));
    this.#end = pictures;
    const held = this.slots.filter((slot) => slot !== REMOVED_SLOT);
    if (held.some((slot) => slot >= slots) || new Set(held).size < held.length) {
      throw new SnapshotError('the recent pictures do not fit');
    }
    kernels.restore(settled, late);
    const table = { name: 'lists', length: TABLE_BYTES, view: this.#viewFrom(() => kernels.tableAt()) };
    for (const area of [table, ...this.#postings(settled, late)]) yield* sections.fill(area);
    for (let next = 0; next <= WORD_COUNT; yield) {
      next = kernels.accept(next, pictures, POSTINGS_PER_STEP);
      if (next === INVALID_LISTS) throw new SnapshotError('the lists do not fit together');
    }
  }

  /** Of some lists and the one after. */
  #table(first: number, last: number): Uint32Array {
    return this.#integers(this.#kernels.tableAt() + LIST_BYTES * first, (LIST_BYTES / 4) * (last - first) + 1);
  }

  #postings(settled: number, late: number): Area[] {
    const kernels = this.#kernels;
    return [
      { name: 'postings', length: POSTING_BYTES * settled, view: this.#viewFrom(() => kernels.baseAt()) },
      { name: 'late', length: BUFFERED_POSTING_BYTES * late, view: this.#viewFrom(() => kernels.bufferAt()) },
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
