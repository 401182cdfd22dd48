import type { Kernels } from '../kernels/kernels.ts';
import { Workspace } from '../kernels/workspace.ts';
import type { Area } from './areas.ts';

/** Slots that one call of the kernel compares. */
const SLOTS_PER_CALL = 4096;

/** How embeddings are laid out and compared. */
export interface Comparison<Embedding = Uint8Array> {
  /** Bytes of an entry, a multiple of 16. */
  readonly entry: number;
  /** An embedding with the numbers that its scores are divided by. */
  readonly entryOf: (embedding: Embedding) => Uint8Array;
  /** Computes what is left of an entry in memory. */
  readonly complete?: (kernels: Kernels, entry: number) => void;
  /** A kernel as `similarities`. */
  readonly kernel: (kernels: Kernels, ...args: Parameters<Kernels['similarities']>) => void;
}

/** The embeddings of many pictures in one stretch of memory, by slot. */
export class EntryList<Embedding = Uint8Array> {
  readonly #comparison: Comparison<Embedding>;
  readonly #workspace = new Workspace();
  readonly #query: number;
  readonly #slots = this.#workspace.take(4 * SLOTS_PER_CALL);
  readonly #out = this.#workspace.take(8 * SLOTS_PER_CALL);
  readonly #start: number;
  #entries = 0;

  constructor(comparison: Comparison<Embedding>) {
    this.#comparison = comparison;
    this.#query = this.#workspace.take(comparison.entry);
    this.#start = this.#workspace.take(0);
  }

  get bytes(): number {
    return this.#comparison.entry * this.#entries;
  }

  /** Slots are filled from 0 on, without a gap; one that is there is overwritten. */
  put(slot: number, embedding: Embedding): void {
    const { entry } = this.#comparison;
    if (slot === this.#entries) {
      this.#workspace.take(entry);
      this.#entries++;
    }
    this.#write(embedding, this.#start + entry * slot);
  }

  #write(embedding: Embedding, at: number): void {
    const { entry, entryOf, complete } = this.#comparison;
    this.#workspace.bytes(at, entry).set(entryOf(embedding));
    complete?.(this.#workspace.kernels, at);
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

  /** All entries, one behind the other. A view until the next `put`. */
  entries(): Uint8Array {
    return this.#workspace.bytes(this.#start, this.bytes);
  }

  /** The scores of these slots, in their order; see the kernel. @param weight  of colour, in [0, 1] */
  scores(embedding: Embedding, slots: Uint32Array, weight: number): Float64Array {
    const { kernel } = this.#comparison;
    const scores = new Float64Array(slots.length);
    this.#write(embedding, this.#query);
    const { kernels } = this.#workspace;
    const [places, found] = [
      this.#workspace.integers(this.#slots, SLOTS_PER_CALL),
      new Float64Array(kernels.memory.buffer, this.#out, SLOTS_PER_CALL),
    ];
    for (let from = 0; from < slots.length; from += SLOTS_PER_CALL) {
      const chunk = slots.subarray(from, from + SLOTS_PER_CALL);
      places.set(chunk);
      kernel(kernels, this.#start, this.#slots, chunk.length, this.#query, weight, this.#out);
      scores.set(chunk.length < SLOTS_PER_CALL ? found.subarray(0, chunk.length) : found, from);
    }
    return scores;
  }
}
