import { loadKernels } from '../../kernels/kernels.ts';
import { QUERY_WORDS } from './look-up.ts';
import { WORDS } from '../features/vocabulary.ts';
import type { Steps } from '../../steps.ts';

/** Features a picture may have, twice as many with inverted ones. */
const MOST_TERMS = 4096;
/** Postings that are merged or swept in one piece of work: less than a millisecond. */
const QUOTA = 1 << 19;
/** Features that are looked up in one piece of work. */
const PIECE = 64;
/** Slots of one block: a posting has 20 bits for the slot, and the memory of a block is that of one WebAssembly instance. */
const MOST_SLOTS = 1 << 20;

/** A query in one variant: for each feature three times a term, and what it gains by the number of bits in which a picture's term differs. */
export interface TermQuery {
  /** The term and the gains for 0, 1 and 2 bits. */
  readonly entries: Uint32Array;
}

/** The lists of at most `MOST_SLOTS` pictures. */
class Block {
  readonly #kernels = loadKernels();
  readonly #terms = this.#kernels.claim(4 * MOST_TERMS);
  /** One above the highest slot ever added. */
  #end = 0;

  constructor() {
    this.#kernels.openLists(WORDS);
  }

  get bytes(): number {
    return this.#kernels.usedBytes();
  }

  add(slot: number, terms: Uint32Array): void {
    this.#integers(this.#terms, terms.length).set(terms);
    this.#kernels.insert(slot, this.#terms, terms.length);
    this.#end = Math.max(this.#end, slot + 1);
  }

  *remove(slots: readonly number[]): Steps<void> {
    for (let round = 0; round < 2; yield) round = this.#kernels.merge(round, QUOTA);
    const at = this.#kernels.spare(this.#end);
    const dead = this.#bytes(at, this.#end).fill(0);
    for (const slot of slots) dead[slot] = 1;
    while (!this.#kernels.sweep(at, QUOTA)) yield;
  }

  *votes(variants: readonly TermQuery[], slots: number): Steps<Uint32Array> {
    const longest = Math.max(...variants.map(({ entries }) => entries.length));
    const given = this.#kernels.spare(16 * slots + 4 * longest);
    const best = given + 12 * slots;
    const at = best + 4 * slots;
    this.#bytes(best, 4 * slots).fill(0);
    for (const { entries } of variants) {
      this.#bytes(given, 12 * slots).fill(0);
      this.#integers(at, entries.length).set(entries);
      const features = entries.length / (4 * QUERY_WORDS);
      for (let from = 0; from < features; from += PIECE) {
        this.#kernels.vote(at, QUERY_WORDS, from, Math.min(from + PIECE, features), given);
        yield;
      }
      this.#kernels.keepMost(given, slots, best);
    }
    return this.#integers(best, slots).slice();
  }

  #bytes(at: number, n: number): Uint8Array {
    return new Uint8Array(this.#kernels.memory.buffer, at, n);
  }

  #integers(at: number, n: number): Uint32Array {
    return new Uint32Array(this.#kernels.memory.buffer, at, n);
  }
}

/**
 * For each term the pictures that have it, known by a slot. Four bytes for each term of a picture. The lists are in blocks, so
 * that they may be larger than the memory of one WebAssembly instance.
 */
export class TermLists {
  readonly #blocks: Block[] = [];
  readonly #slots: number;

  /** @param slots  of a block; fewer only in tests */
  constructor(slots = MOST_SLOTS) {
    this.#slots = slots;
  }

  /** Memory of the lists and of the work on them. */
  get bytes(): number {
    return this.#blocks.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** @param slot  not above those ever added by more than one block */
  add(slot: number, terms: Uint32Array): void {
    const block = Math.floor(slot / this.#slots);
    while (this.#blocks.length <= block) this.#blocks.push(new Block());
    this.#blocks[block].add(slot % this.#slots, terms);
  }

  /** Removes pictures; reads all lists of their blocks. Nothing else may be done with the lists before the last step. */
  *remove(slots: readonly number[]): Steps<void> {
    for (const [i, block] of this.#blocks.entries()) {
      const own = slots.filter((slot) => Math.floor(slot / this.#slots) === i);
      if (own.length > 0) yield* block.remove(own.map((slot) => slot % this.#slots));
    }
  }

  /**
   * The votes of each slot in the variant in which they are most: each feature gives the largest gain, once. Nothing may be added before the last step.
   * @param slots  how many there are
   */
  *votes(variants: readonly TermQuery[], slots: number): Steps<Uint32Array> {
    const all = new Uint32Array(slots);
    for (const [i, block] of this.#blocks.entries()) {
      const first = i * this.#slots;
      all.set(yield* block.votes(variants, Math.min(this.#slots, slots - first)), first);
    }
    return all;
  }
}
