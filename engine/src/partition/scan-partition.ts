import { digest } from '../dna/digest.ts';
import type { Steps } from '../steps.ts';
import { best } from './best.ts';
import type { Candidate, Cut, ImageNumber, Partition, QueryOptions, Ranking, Verified } from './partition.ts';
import type { ResultInfo } from './result-info.ts';
import { shortlisted } from './shortlist.ts';
import { Slots } from './slots.ts';

/** An exhaustive comparison of a query with all pictures. */
export interface Scan {
  readonly bytes: number;
  /** Slots are filled from 0 on, without a gap; one that is there is overwritten. */
  put(slot: number, dna: Uint8Array): void;
  /** The scores of these slots, in [0, 1]; 1 is no match. */
  scores(query: Uint8Array, slots: Uint32Array, options: QueryOptions): Float64Array;
  /** How the picture of a slot matches; null for a type that has no structure for that. */
  infoOf(query: Uint8Array, slot: number, options: QueryOptions): ResultInfo | null;
}

/** Pictures compared in one step: about a millisecond. */
const CHUNK = 1024;
/** Votes are scores in this many steps. */
const STEPS = 1 << 30;

/** Reference pictures that are all compared with every query: the scan gives the final scores. */
export class ScanPartition<S extends Scan> implements Partition {
  protected readonly scan: S;
  protected readonly slots = new Slots<string>();

  constructor(scan: S) {
    this.scan = scan;
  }

  get count(): number {
    return this.slots.count;
  }

  get bytes(): number {
    return this.scan.bytes;
  }

  add(image: ImageNumber, dna: Uint8Array): void {
    this.scan.put(this.slots.put(image, digest(dna)), dna);
  }

  *remove(image: ImageNumber): Steps<void> {
    const taken = this.slots.take(image);
    if (taken) this.slots.release([taken.slot]);
  }

  *rank(query: Uint8Array, only: Uint32Array | null, { below, most }: Cut, options: QueryOptions): Steps<Ranking> {
    const slots = this.among(only);
    const scores = yield* this.#scores(query, slots, options);
    const { found, places } = best(scores, below, most);
    return {
      found,
      images: places.map((place) => this.slots.at(slots[place])!.image),
      scores: Float64Array.from(places, (place) => scores[place]),
    };
  }

  *candidates(query: Uint8Array, only: Uint32Array | null, limit: number, options: QueryOptions): Steps<Candidate[]> {
    const own = digest(query);
    const slots = this.among(only);
    const scores = yield* this.#scores(query, slots, options);
    const found = Array.from(slots, (slot, i): Candidate => {
      const { image, value } = this.slots.at(slot)!;
      return { image, votes: Math.round((1 - scores[i]) * STEPS) + 1, exact: value === own };
    });
    return shortlisted(
      found.filter((_, i) => scores[i] < 1),
      limit,
    );
  }

  *verify(query: Uint8Array, images: readonly ImageNumber[], options: QueryOptions): Steps<Verified> {
    const held = images.filter((image) => this.slots.slotOf(image) !== undefined);
    const slots = Uint32Array.from(held, (image) => this.slots.slotOf(image)!);
    const scores = yield* this.#scores(query, slots, options);
    const verdicts = held
      .map((image, i) => ({ image, score: scores[i], resultInfo: this.scan.infoOf(query, slots[i], options) }))
      .filter(({ score }) => score < 1);
    return { verdicts, effort: 0 };
  }

  *#scores(query: Uint8Array, slots: Uint32Array, options: QueryOptions): Steps<Float64Array> {
    if (slots.length <= CHUNK) return this.scan.scores(query, slots, options);
    const scores = new Float64Array(slots.length);
    for (let from = 0; from < slots.length; from += CHUNK, yield) {
      scores.set(this.scan.scores(query, slots.subarray(from, from + CHUNK), options), from);
    }
    return scores;
  }

  /** The slots of these pictures, ascending; of all for null. */
  protected among(only: Uint32Array | null): Uint32Array {
    return only ? this.slots.slotsOf(only) : this.slots.used;
  }
}
