import { digest } from '../dna/digest.ts';
import { Slots } from '../index/slots.ts';
import { mostPromising } from './promising.ts';
import type { Candidate, ImageNumber, Partition, QueryOptions, Verdict } from './recipe.ts';

/** What pictures are compared with by looking at every one of them. */
export interface Scan {
  readonly bytes: number;
  /** Slots are filled from 0 on, without a gap; one that is there is overwritten. */
  put(slot: number, dna: Uint8Array): void;
  /** Compares with each of these slots, ascending. */
  compare(query: Uint8Array, slots: Uint32Array, options: QueryOptions): Scanned;
}

export interface Scanned {
  /** In [0, 1], in the order of the slots; 1 is no match. */
  readonly scores: Float64Array;
  /** The result_info of the i-th slot. */
  tell(i: number): string;
}

/** Votes are scores in this many steps. */
const STEPS = 1 << 30;

/** Reference pictures that are all compared with every query: the scan gives the final scores. */
export class ScanPartition<S extends Scan> implements Partition {
  protected readonly scan: S;
  readonly #slots = new Slots<string>();

  constructor(scan: S) {
    this.scan = scan;
  }

  get count(): number {
    return this.#slots.count;
  }

  get bytes(): number {
    return this.scan.bytes;
  }

  add(image: ImageNumber, dna: Uint8Array): void {
    this.scan.put(this.#slots.put(image, digest(dna)), dna);
  }

  remove(image: ImageNumber): void {
    const taken = this.#slots.take(image);
    if (taken) this.#slots.release([taken.slot]);
  }

  candidates(query: Uint8Array, only: Uint32Array | null, limit: number, options: QueryOptions): Candidate[] {
    const own = digest(query);
    const found = this.#compare(query, this.held(only), options).map(({ slot, score }) => {
      const { image, value } = this.#slots.at(slot)!;
      return { image, votes: Math.round((1 - score) * STEPS) + 1, exact: value === own };
    });
    return mostPromising(found, limit);
  }

  verify(query: Uint8Array, images: readonly ImageNumber[], options: QueryOptions): Verdict[] {
    const verdicts = new Map(this.#verdicts(query, this.held(images), options).map((each) => [each.image, each]));
    return images.flatMap((image) => verdicts.get(image) ?? []);
  }

  rank(query: Uint8Array, only: Uint32Array | null, options: QueryOptions): Verdict[] {
    return this.#verdicts(query, this.held(only), options);
  }

  #verdicts(query: Uint8Array, slots: Uint32Array, options: QueryOptions): Verdict[] {
    return this.#compare(query, slots, options).map(({ slot, score, resultInfo }) => {
      return { image: this.#slots.at(slot)!.image, score, resultInfo: resultInfo() };
    });
  }

  #compare(query: Uint8Array, slots: Uint32Array, options: QueryOptions) {
    const { scores, tell } = this.scan.compare(query, slots, options);
    return Array.from(slots, (slot, i) => ({ slot, score: scores[i], resultInfo: () => tell(i) })).filter(
      ({ score }) => score < 1,
    );
  }

  /** The slots of these pictures, ascending; of all for null. */
  protected held(images: Iterable<ImageNumber> | null): Uint32Array {
    const slots: number[] = [];
    if (images === null) {
      for (let slot = 0; slot < this.#slots.end; slot++) if (this.#slots.at(slot)) slots.push(slot);
      return Uint32Array.from(slots);
    }
    for (const image of images) {
      const slot = this.#slots.slotOf(image);
      if (slot !== undefined) slots.push(slot);
    }
    return Uint32Array.from(slots).sort();
  }
}
