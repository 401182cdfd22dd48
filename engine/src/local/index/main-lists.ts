import { loadKernels } from '../../kernels/kernels.ts';
import type { Area, SectionReader } from '../../memory/areas.ts';
import { SnapshotError } from '../../memory/section.ts';
import type { Scored } from '../../partition/best-scores.ts';
import type { Steps } from '../../steps.ts';
import { WORD_COUNT } from '../features/vocabulary.ts';
import { type Best, bestOf, type ListQuery, type Lists, NEARNESS_WEIGHTS } from './counted-votes.ts';
import { POSTINGS_PER_STEP, type RecentLists, INVALID_LISTS } from './recent-lists.ts';

/** Numbers of a list in its table; see assembly/main-lists.ts. */
const NUMBERS_PER_LIST = 2;
/** Lists that are taken in together. */
const LISTS_PER_STEP = 256;

/** The lists of the pictures of a block that were added before the recent ones. */
export class MainLists {
  readonly #kernels = loadKernels();
  readonly #lists: Lists;
  /** The name of the content in snapshots, if it is in one and has not changed since. */
  #part: string | undefined;

  constructor() {
    const kernels = this.#kernels;
    const nearness = kernels.allocate(NEARNESS_WEIGHTS.byteLength);
    kernels.openMain(WORD_COUNT);
    new Uint16Array(kernels.memory.buffer, nearness, NEARNESS_WEIGHTS.length).set(NEARNESS_WEIGHTS);
    const spare = (bytes: number): number => kernels.spareInMain(bytes) >>> 0; // addresses may be above 2^31
    this.#lists = { kernels, nearness, spare, vote: (...args) => kernels.voteInMain(...args) };
  }

  get bytes(): number {
    return this.#kernels.usedByMain() >>> 0;
  }

  /**
   * Takes in recent lists, all of which are settled, in pieces of so many postings. They are seen from the moment `seen` is called.
   * Between two pieces anything may be done that changes neither.
   */
  *take(recent: RecentLists, quota: () => number, seen: () => void): Steps<void> {
    const kernels = this.#kernels;
    for (let first = 0; first < WORD_COUNT; first += LISTS_PER_STEP) {
      const table = this.#integers(
        kernels.arrivingTableAt() + 4 * NUMBERS_PER_LIST * first,
        NUMBERS_PER_LIST * LISTS_PER_STEP,
      );
      const lengths = recent.lengths(first, first + LISTS_PER_STEP);
      for (let i = 0; i < LISTS_PER_STEP; i++) table[NUMBERS_PER_LIST * i + 1] = lengths[i];
      if ((first / LISTS_PER_STEP) % 32 === 31) yield;
    }
    kernels.expect();
    yield;
    let done = 0;
    for (let first = 0; first < WORD_COUNT; first += LISTS_PER_STEP) {
      const bytes = recent.settled(first, first + LISTS_PER_STEP);
      const { slots } = recent;
      const at = this.#lists.spare(slots.byteLength + bytes.length);
      this.#integers(at, slots.length).set(slots);
      this.#bytes(at + slots.byteLength, bytes.length).set(bytes);
      kernels.arrive(first, first + LISTS_PER_STEP, at + slots.byteLength, at);
      done += LISTS_PER_STEP + bytes.length / 7 + slots.length / 4;
      if (done < quota()) continue;
      done = 0;
      yield;
    }
    kernels.beginMerging();
    this.#part = undefined;
    seen();
    while (!kernels.merge(quota())) yield;
  }

  /** Nothing is being taken in. @param end  of the slots of the block */
  *remove(slots: Iterable<number>, end: number): Steps<void> {
    this.#part = undefined;
    const at = this.#lists.spare(end);
    const dead = this.#bytes(at, end).fill(0);
    for (const slot of slots) dead[slot] = 1;
    while (!this.#kernels.sweepMain(at, end, POSTINGS_PER_STEP)) yield;
  }

  /** See `bestOf`. */
  best(variants: readonly ListQuery[], norms: Uint16Array, wanted: Best): Steps<Scored> {
    const writeNorms = (into: Uint16Array): void => into.set(norms);
    return bestOf(this.#lists, variants, { slots: norms.length, writeNorms }, wanted);
  }

  /** Bytes of all lists. */
  get size(): number {
    return this.#kernels.mainBytes() >>> 0;
  }

  /** While nothing is being taken in. @param part  its name from now on, if it has none */
  areas(part: string): Area[] {
    this.#part ??= part;
    return this.#areas(this.size).map((area) => ({ ...area, part: this.#part }));
  }

  /** @param end  of the slots of the block */
  *restore(size: number, end: number, sections: SectionReader): Steps<void> {
    this.#part = sections.part;
    const [lengths, lists] = this.#areas(size);
    yield* sections.fill(lengths);
    if (this.#kernels.layMain(size) === 0) throw new SnapshotError('the lists have another size');
    yield* sections.fill(lists);
    for (let next = 0; next < WORD_COUNT; yield) {
      next = this.#kernels.acceptMain(next, end, POSTINGS_PER_STEP);
      if (next === INVALID_LISTS) throw new SnapshotError('the lists do not fit together');
    }
  }

  #areas(size: number): [lengths: Area, lists: Area] {
    const kernels = this.#kernels;
    return [
      { name: 'lengths', length: 4 * NUMBERS_PER_LIST * WORD_COUNT, view: (from, to) => this.#bytes(kernels.mainTableAt() + from, to - from) }, // prettier-ignore
      { name: 'main', length: size, view: (from, to) => this.#bytes((kernels.mainAt() >>> 0) + from, to - from) },
    ];
  }

  #bytes(at: number, n: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#kernels.memory.buffer, at, n);
  }

  #integers(at: number, n: number): Uint32Array {
    return new Uint32Array(this.#kernels.memory.buffer, at, n);
  }
}
