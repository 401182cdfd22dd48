import { digest } from '../dna/digest.ts';
import type { Steps } from '../steps.ts';
import { type Area, areaOf, SectionReader, sectionsOf } from '../memory/areas.ts';
import { best } from './best.ts';
import { BestScores } from './best-scores.ts';
import type { Candidates, Cut, ImageNumber, Partition, QueryOptions, Ranking, Verified } from './partition.ts';
import type { ResultInfo } from './result-info.ts';
import type { Selection } from './selection.ts';
import { Digests, wordsOfDigest } from './digests.ts';
import { Slots } from './slots.ts';
import { type Section, SnapshotError } from '../memory/section.ts';

/** An exhaustive comparison of a query with all pictures. */
export interface Scan {
  readonly bytes: number;
  /** Slots are filled from 0 on, without a gap; one that is there is overwritten. */
  put(slot: number, dna: Uint8Array): void;
  /** The scores of these slots, in [0, 1]; 1 is no match. */
  scores(query: Uint8Array, slots: Uint32Array, options: QueryOptions): Float64Array;
  /** How the picture of a slot matches; null for a type that has no structure for that. */
  infoOf(query: Uint8Array, slot: number, options: QueryOptions): ResultInfo | null;
  /** All that is held of the first slots, which are made where they are not there. */
  areas(slots: number): Area[];
}

/** Pictures compared in one step: about a millisecond. */
const PICTURES_PER_STEP = 1024;
/** Votes are scores in this many steps. */
const VOTE_STEPS = 1 << 30;

/** Reference pictures that are all compared with every query: the scan gives the final scores. */
export class ScanPartition<S extends Scan> implements Partition {
  protected readonly scan: S;
  protected readonly slots = new Slots();
  readonly #digests = new Digests();
  /** A snapshot is being made. */
  #frozen = false;

  constructor(scan: S) {
    this.scan = scan;
  }

  get count(): number {
    return this.slots.count;
  }

  get bytes(): number {
    return this.scan.bytes + this.slots.bytes + this.#digests.bytes;
  }

  add(image: ImageNumber, dna: Uint8Array): void {
    const slot = this.slots.put(image);
    this.#digests.put(slot, digest(dna));
    this.scan.put(slot, dna);
  }

  *remove(image: ImageNumber): Steps<void> {
    const slot = this.slots.take(image);
    if (slot !== undefined) this.slots.release([slot]);
  }

  *rank(query: Uint8Array, only: Selection | null, { below, most }: Cut, options: QueryOptions): Steps<Ranking> {
    const slots = this.among(only);
    const scores = yield* this.#scores(query, slots, options);
    const { found, places } = best(scores, below, most);
    return {
      found,
      images: places.map((place) => this.slots.imageAt(slots[place])!),
      scores: Float64Array.from(places, (place) => scores[place]),
    };
  }

  *candidates(query: Uint8Array, only: Selection | null, limit: number, options: QueryOptions): Steps<Candidates> {
    const own = wordsOfDigest(digest(query));
    const slots = this.among(only);
    const scores = yield* this.#scores(query, slots, options);
    const votes = Uint32Array.from(scores, (score) => (score === 1 ? 0 : Math.round((1 - score) * VOTE_STEPS) + 1));
    const exact = Uint8Array.from(slots, (slot, i) => Number(votes[i] > 0 && this.#digests.isAt(slot, own)));
    const isOther = (_: number, i: number): boolean => votes[i] > 0 && exact[i] === 0;
    const listed = new BestScores(limit);
    listed.take({ slots: slots.filter(isOther), scores: votes.filter(isOther) });
    const imageAt = (slot: number): ImageNumber => this.slots.imageAt(slot)!;
    return {
      copies: slots.filter((_, i) => exact[i] === 1).map(imageAt),
      images: listed.best.slots.map(imageAt),
      votes: listed.best.scores,
    };
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

  *snapshot(): Generator<Section | undefined, void, undefined> {
    if (this.#frozen) throw new SnapshotError('a snapshot is being made already');
    try {
      this.#frozen = true;
      this.slots.hold(true);
      const images = this.slots.images();
      const areas = [this.#digests.area(images.length), ...this.scan.areas(images.length)];
      yield* sectionsOf([areaOf('shape', Uint32Array.of(images.length)), areaOf('images', images), ...areas]);
    } finally {
      this.#frozen = false;
      this.slots.hold(false);
    }
  }

  *restore(sections: Iterable<Section>): Steps<void> {
    if (this.slots.end > 0) throw new SnapshotError('the partition is not empty');
    const reader = new SectionReader(sections);
    const [slots] = yield* reader.numbers('shape', 1);
    const images = yield* reader.numbers('images', slots);
    for (const area of [this.#digests.area(slots), ...this.scan.areas(slots)]) yield* reader.fill(area);
    reader.end();
    this.slots.release(yield* this.slots.restore(images));
  }

  *#scores(query: Uint8Array, slots: Uint32Array, options: QueryOptions): Steps<Float64Array> {
    if (slots.length <= PICTURES_PER_STEP) return this.scan.scores(query, slots, options);
    const scores = new Float64Array(slots.length);
    for (let from = 0; from < slots.length; from += PICTURES_PER_STEP, yield) {
      scores.set(this.scan.scores(query, slots.subarray(from, from + PICTURES_PER_STEP), options), from);
    }
    return scores;
  }

  /** The slots of these pictures, ascending; of all for null. */
  protected among(only: Selection | null): Uint32Array {
    return only ? this.slots.slotsOf(only) : this.slots.used;
  }
}
