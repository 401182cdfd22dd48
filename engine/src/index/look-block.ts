import { AMOUNTS } from '../features/colouring.ts';
import { SHAPE } from '../features/shape.ts';
import { LOOK } from '../dna/look.ts';
import { Workspace } from '../kernels/workspace.ts';

/** Entries looked at in one go of the kernel. */
const CHUNK = 4096;
/** What the layouts of two pictures differ in on average, in steps a byte, at which they have nothing in common. */
const LAYOUT_REACH = 60;
/** Parts of the colour score. */
const [AMOUNTS_PART, LAYOUT_PART] = [0.6, 0.4];

/** The two scores of a picture, in [0, 1]; 0 is the same. */
export interface LookScores {
  readonly shape: Float64Array;
  readonly color: Float64Array;
}

/** The looks of many pictures in one stretch of memory, by slot. */
export class LookBlock {
  readonly #workspace = new Workspace();
  readonly #query = this.#workspace.take(LOOK);
  readonly #out = this.#workspace.take(16 * CHUNK);
  readonly #start = this.#workspace.take(0);
  /** Squared length of the shape and sum of the amounts, by slot. */
  readonly #lengths: number[] = [];
  readonly #sums: number[] = [];

  get bytes(): number {
    return (LOOK + 16) * this.#lengths.length;
  }

  /** Slots are filled from 0 on, without a gap; one that is there is overwritten. */
  put(slot: number, look: Uint8Array): void {
    if (slot === this.#lengths.length) this.#workspace.take(LOOK);
    this.#workspace.bytes(this.#start + LOOK * slot, LOOK).set(look);
    this.#lengths[slot] = squaredLength(look);
    this.#sums[slot] = sumOfAmounts(look);
  }

  /** Scores in the order of the slots. Runs of slots that follow each other are scanned in one go. */
  compare(look: Uint8Array, slots: Uint32Array): LookScores {
    this.#workspace.bytes(this.#query, LOOK).set(look);
    const [length, sum] = [squaredLength(look), sumOfAmounts(look)];
    const scores = { shape: new Float64Array(slots.length), color: new Float64Array(slots.length) };
    for (let from = 0; from < slots.length;) {
      let to = from + 1;
      while (to < slots.length && to - from < CHUNK && slots[to] === slots[to - 1] + 1) to++;
      this.#workspace.kernels.looks(this.#start + LOOK * slots[from], to - from, this.#query, this.#out);
      const found = new Int32Array(this.#workspace.kernels.memory.buffer, this.#out, 4 * (to - from));
      for (let i = from; i < to; i++) {
        const at = 4 * (i - from);
        const slot = slots[i];
        scores.shape[i] = shapeScore(found[at], found[at + 1], length + this.#lengths[slot]);
        scores.color[i] = colorScore(found[at + 2], sum + this.#sums[slot], found[at + 3]);
      }
      from = to;
    }
    return scores;
  }
}

/** Half of 1 - cosine, where a picture and its mirror image count as one: the odd half may be turned around. */
function shapeScore(even: number, odd: number, lengths: number): number {
  return Math.max(0, 0.5 - (even + Math.abs(odd)) / lengths);
}

function colorScore(amounts: number, sums: number, layout: number): number {
  return AMOUNTS_PART * (amounts / Math.max(1, sums)) + LAYOUT_PART * Math.min(1, layout / (48 * LAYOUT_REACH));
}

function squaredLength(look: Uint8Array): number {
  return new Int8Array(look.buffer, look.byteOffset, SHAPE).reduce((sum, value) => sum + value * value, 0);
}

function sumOfAmounts(look: Uint8Array): number {
  return look.subarray(SHAPE, SHAPE + AMOUNTS).reduce((sum, value) => sum + value, 0);
}
