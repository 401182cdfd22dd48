import { AMOUNTS, EMBEDDING_LENGTH, SHAPE } from '../dna/similarity.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { Workspace } from '../kernels/workspace.ts';
import type { Area } from '../memory/areas.ts';

/** Bytes before an embedding: its sums, and zeros up to a multiple of 16. */
export const SUMS = 16;
export const ENTRY = SUMS + EMBEDDING_LENGTH;
/** Slots that one call of the kernel compares. */
const CHUNK = 4096;

/** How embeddings are laid out and compared. */
export interface Comparison {
  /** Bytes of an entry, a multiple of 16. */
  readonly entry: number;
  /** An embedding with the two sums that its scores are divided by. */
  readonly entryOf: (embedding: Uint8Array) => Uint8Array;
  /** One of the kernels of `assembly/similarities.ts`. */
  readonly kernel: (kernels: Kernels, ...args: Parameters<Kernels['similarities']>) => void;
}

/** The embeddings of many pictures in one stretch of memory, by slot. */
export class SimilarityList {
  readonly #comparison: Comparison;
  readonly #workspace = new Workspace();
  readonly #query: number;
  readonly #slots = this.#workspace.take(4 * CHUNK);
  readonly #out = this.#workspace.take(8 * CHUNK);
  readonly #start: number;
  #entries = 0;

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
    this.#query = this.#workspace.take(comparison.entry);
    this.#start = this.#workspace.take(0);
  }

  get bytes(): number {
    return this.#comparison.entry * this.#entries;
  }

  /** Slots are filled from 0 on, without a gap; one that is there is overwritten. */
  put(slot: number, embedding: Uint8Array): void {
    const { entry, entryOf } = this.#comparison;
    if (slot === this.#entries) {
      this.#workspace.take(entry);
      this.#entries++;
    }
    this.#workspace.bytes(this.#start + entry * slot, entry).set(entryOf(embedding));
  }

  /** The entries of the first slots. */
  area(slots: number): Area {
    const { entry } = this.#comparison;
    if (slots > this.#entries) {
      this.#workspace.take(entry * (slots - this.#entries));
      this.#entries = slots;
    }
    const view: Area['view'] = (from, to) => this.#workspace.bytes(this.#start + from, to - from);
    return { name: 'entries', length: entry * slots, view };
  }

  /** The scores of these slots, in their order; see `assembly/similarities.ts`. @param weight  of colour, in [0, 1] */
  scores(embedding: Uint8Array, slots: Uint32Array, weight: number): Float64Array {
    const { entry, entryOf, kernel } = this.#comparison;
    const scores = new Float64Array(slots.length);
    this.#workspace.bytes(this.#query, entry).set(entryOf(embedding));
    const { kernels } = this.#workspace;
    const [places, found] = [
      this.#workspace.integers(this.#slots, CHUNK),
      new Float64Array(kernels.memory.buffer, this.#out, CHUNK),
    ];
    for (let from = 0; from < slots.length; from += CHUNK) {
      const chunk = slots.subarray(from, from + CHUNK);
      places.set(chunk);
      kernel(kernels, this.#start, this.#slots, chunk.length, this.#query, weight, this.#out);
      scores.set(chunk.length < CHUNK ? found.subarray(0, chunk.length) : found, from);
    }
    return scores;
  }
}

/** Shape and colour. */
export const shapeAndColor: Comparison = {
  entry: ENTRY,
  entryOf,
  kernel: (kernels, ...args) => kernels.similarities(...args),
};

/** An embedding with the two sums that its scores are divided by. */
export function entryOf(embedding: Uint8Array): Uint8Array {
  const entry = new Uint8Array(ENTRY);
  entry.set(embedding, SUMS);
  const shape = new Int8Array(entry.buffer, SUMS, SHAPE);
  const amounts = entry.subarray(SUMS + SHAPE, SUMS + SHAPE + AMOUNTS);
  setSums(entry, shape, amounts);
  return entry;
}

/** Sets the squared length of a vector and the sum of the amounts of colours. */
export function setSums(entry: Uint8Array, vector: Int8Array, amounts: Uint8Array): void {
  const sums = new Int32Array(entry.buffer, 0, 2);
  sums[0] = vector.reduce((sum, value) => sum + value * value, 0);
  sums[1] = amounts.reduce((sum, value) => sum + value, 0);
}
