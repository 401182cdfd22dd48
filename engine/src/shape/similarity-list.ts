import { LOOK } from '../dna/similarity.ts';
import { AMOUNTS } from '../color/color-embedding.ts';
import { SHAPE } from './shape-embedding.ts';
import { Workspace } from '../kernels/workspace.ts';

/** Bytes before a look: its sums, and zeros up to a multiple of 16. */
const SUMS = 16;
export const ENTRY = SUMS + LOOK;
/** Slots looked at in one go of the kernel. */
const CHUNK = 4096;

/** The looks of many pictures in one stretch of memory, by slot. */
export class LookBlock {
  readonly #workspace = new Workspace();
  readonly #query = this.#workspace.take(ENTRY);
  readonly #slots = this.#workspace.take(4 * CHUNK);
  readonly #out = this.#workspace.take(8 * CHUNK);
  readonly #start = this.#workspace.take(0);
  #entries = 0;

  get bytes(): number {
    return ENTRY * this.#entries;
  }

  /** Slots are filled from 0 on, without a gap; one that is there is overwritten. */
  put(slot: number, look: Uint8Array): void {
    if (slot === this.#entries) {
      this.#workspace.take(ENTRY);
      this.#entries++;
    }
    this.#workspace.bytes(this.#start + ENTRY * slot, ENTRY).set(entryOf(look));
  }

  /** The scores of these slots, in their order; see `looks` in `assembly/`. @param weight  of colour, in [0, 1] */
  scores(look: Uint8Array, slots: Uint32Array, weight: number): Float64Array {
    const scores = new Float64Array(slots.length);
    this.#workspace.bytes(this.#query, ENTRY).set(entryOf(look));
    const { kernels } = this.#workspace;
    const [asked, told] = [
      this.#workspace.integers(this.#slots, CHUNK),
      new Float64Array(kernels.memory.buffer, this.#out, CHUNK),
    ];
    for (let from = 0; from < slots.length; from += CHUNK) {
      const chunk = slots.subarray(from, from + CHUNK);
      asked.set(chunk);
      kernels.looks(this.#start, this.#slots, chunk.length, this.#query, weight, this.#out);
      scores.set(chunk.length < CHUNK ? told.subarray(0, chunk.length) : told, from);
    }
    return scores;
  }
}

/** A look with the two sums that its scores are divided by. */
export function entryOf(look: Uint8Array): Uint8Array {
  const entry = new Uint8Array(ENTRY);
  entry.set(look, SUMS);
  const shape = new Int8Array(entry.buffer, SUMS, SHAPE);
  const amounts = entry.subarray(SUMS + SHAPE, SUMS + SHAPE + AMOUNTS);
  const sums = new Int32Array(entry.buffer, 0, 2);
  sums[0] = shape.reduce((sum, value) => sum + value * value, 0);
  sums[1] = amounts.reduce((sum, value) => sum + value, 0);
  return entry;
}
