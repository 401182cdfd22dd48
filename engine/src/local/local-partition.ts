import { type LocalKind, openLocalDna } from '../dna/local.ts';
import { type Area, areaOf, SectionReader, sectionsOf } from '../memory/areas.ts';
import { Column } from '../memory/column.ts';
import { Digests, wordsOfDigest } from '../partition/digests.ts';
import type { Candidates, ImageNumber, Partition, Verified, VerifyOptions } from '../partition/partition.ts';
import type { ReferenceRecords } from '../partition/records.ts';
import { RecordsInMemory } from '../partition/records-in-memory.ts';
import type { Scored } from '../partition/best-scores.ts';
import { SlotTable } from '../partition/slot-table.ts';
import type { Selection } from '../partition/selection.ts';
import { NO_IMAGE, Slots } from '../partition/slots.ts';
import { type Section, SnapshotError } from '../memory/section.ts';
import { scoreOf, type StoredReference } from '../partition/terms.ts';
import type { Steps } from '../steps.ts';
import { withInverted } from './features/inverted.ts';
import { votesOf } from './index/matching.ts';
import { FeatureLists } from './index/feature-lists.ts';
import { listQueryOf, postingsOf } from './index/postings.ts';
import { lookUp, normOf } from './index/terms.ts';
import { type Decide, LocalComparison } from './local-comparison.ts';
import type { PairOptions } from './match/match-pair.ts';
import type { PreparedQuery, QueryPlan } from './match/prepared-query.ts';
import { referenceOf } from './match/reference.ts';
import { beginning, checkRecord, HEAD_BYTES, writeRecord } from './match/reference-record.ts';

/** Removed pictures are swept out of the index when there are this many of them, and a quarter of all. */
const MIN_SWEPT_PICTURES = 32;
/** References whose votes are counted in one piece of work: less than a millisecond. */
const REFERENCES_PER_STEP = 250;
/** Slots that are restored in one piece of work. */
const SLOTS_PER_STEP = 1 << 14;

/** Reference pictures found by their local features. */
export class LocalPartition implements Partition {
  readonly #kinds: readonly LocalKind[];
  readonly #comparison: LocalComparison;
  readonly #guided: boolean | undefined;
  readonly #lists = new FeatureLists();
  readonly #records: ReferenceRecords;
  readonly #slots = new Slots();
  /** By slot what its votes are divided by, see `ReferenceTerms`. */
  readonly #norms = new Column((length) => new Uint16Array(length));
  /** Features of the record of a slot, the bytes of the record, and its place. */
  readonly #features = new Column((length) => new Uint16Array(length));
  readonly #lengths = new Column((length) => new Uint32Array(length));
  readonly #places = new Column((length) => new Float64Array(length));
  readonly #digests = new Digests();
  readonly #byDigest = new SlotTable((slot) => this.#digests.hashAt(slot));
  /** Slots of removed pictures that are still in the lists. */
  readonly #removed: number[] = [];
  /** Holds the record that is compared: a new array for each would make the garbage collection dear. */
  #read = new Uint8Array(0);
  /** As `#norms`, for the search that is under way. */
  #searched = new Uint16Array(0);
  /** A snapshot is being made. */
  #frozen = false;
  /** Snapshots so far, those of the partition included from whose snapshot this one was restored. */
  #snapshots = 0;

  /** @param kinds  of references and of queries */
  constructor(
    kinds: readonly LocalKind[],
    decide: Decide,
    options: PairOptions & QueryPlan = {},
    records: ReferenceRecords = new RecordsInMemory(),
  ) {
    this.#kinds = kinds;
    this.#comparison = new LocalComparison(kinds, decide, options);
    this.#guided = options.guided;
    this.#records = records;
  }

  get count(): number {
    return this.#slots.count;
  }

  get bytes(): number {
    const columns = [this.#norms, this.#features, this.#lengths, this.#places, this.#digests, this.#byDigest];
    const kept = this.#read.byteLength + this.#searched.byteLength;
    return [this.#lists, this.#records, this.#slots, ...columns].reduce((sum, { bytes }) => sum + bytes, kept);
  }

  add(image: ImageNumber, block: Uint8Array): void {
    const dna = openLocalDna(block, this.#kinds);
    const searched = dna.kind === 'brand-drawing-reference' ? withInverted(dna) : dna;
    const reference = referenceOf(dna, this.#guided, searched);
    const looked = lookUp().reference(searched);
    const record = writeRecord(image, reference, looked, searched.keypoints);
    const slot = this.#slots.put(image);
    const columns = [this.#norms, this.#features, this.#lengths, this.#places];
    for (const column of columns) column.reserve(slot + 1);
    this.#norms.values[slot] = normOf(looked);
    this.#features.values[slot] = looked.features;
    this.#lengths.values[slot] = record.length;
    this.#places.values[slot] = this.#records.put(record);
    this.#digests.put(slot, reference.digest);
    this.#byDigest.add(slot);
    this.#lists.add(slot, postingsOf(looked));
  }

  *remove(image: ImageNumber): Steps<void> {
    const slot = this.#slots.take(image);
    if (slot === undefined) return;
    this.#byDigest.remove(slot);
    this.#records.remove(this.#places.values[slot]);
    this.#removed.push(slot);
    if (this.#frozen || this.#removed.length < MIN_SWEPT_PICTURES || this.#removed.length < this.count / 4) return;
    yield* this.#lists.remove(this.#removed);
    this.#slots.release(this.#removed.splice(0));
  }

  *candidates(query: Uint8Array, only: Selection | null, limit: number): Steps<Candidates> {
    const { digest, looked } = yield* this.#comparison.search(query);
    const able = this.#able(only);
    const copies = this.#copies(digest).filter((slot) => able[slot] > 0);
    for (const slot of copies) able[slot] = 0;
    const { slots, scores } = limit === Infinity ? this.#every(only, copies) : yield* this.#best(looked, able, limit);
    const imageAt = (slot: number): ImageNumber => this.#slots.imageAt(slot)!;
    return { copies: Uint32Array.from(copies, imageAt), images: slots.map(imageAt), votes: scores };
  }

  #every(only: Selection | null, copies: readonly number[]): Scored {
    const exact = new Set(copies);
    const among = only ? this.#slots.slotsOf(only) : this.#slots.used;
    const slots = among.filter((slot) => !exact.has(slot));
    return { slots, scores: new Uint32Array(slots.length) };
  }

  *#best(looked: PreparedQuery['looked'], norms: Uint16Array, limit: number): Steps<Scored> {
    if (limit === 0) return { slots: new Uint32Array(0), scores: new Uint32Array(0) };
    return yield* this.#lists.best(looked.map(listQueryOf), norms, limit);
  }

  /** The norms of all slots; 0 for those that a search must not find. */
  #able(only: Selection | null): Uint16Array {
    const { end } = this.#slots;
    const norms = this.#norms.values.subarray(0, end);
    if (end > this.#searched.length) this.#searched = new Uint16Array(this.#norms.values.length);
    const able = this.#searched.subarray(0, end);
    able.set(norms);
    if (only) this.#slots.keep(only, able);
    for (const slot of this.#removed) able[slot] = 0;
    return able;
  }

  /** The slots of exact copies, ascending. */
  #copies(digest: string): number[] {
    const words = wordsOfDigest(digest);
    const slots: number[] = [];
    for (let slot = this.#byDigest.first(words[0]); slot >= 0; slot = this.#byDigest.after(slot)) {
      if (this.#digests.isAt(slot, words)) slots.push(slot);
    }
    return slots.sort((a, b) => a - b);
  }

  /** By all bits, divided by their norms. */
  *votes(query: Uint8Array, images: readonly ImageNumber[]): Steps<Float64Array> {
    const { looked } = yield* this.#comparison.search(query);
    const votes = new Float64Array(images.length);
    const held: [i: number, slot: number][] = [];
    images.forEach((image, i) => {
      const slot = this.#slots.slotOf(image);
      if (slot !== undefined) held.push([i, slot]);
    });
    for (let start = 0; start < held.length; start += REFERENCES_PER_STEP, yield) {
      const piece = held.slice(start, start + REFERENCES_PER_STEP);
      const own = this.#votes(
        looked,
        Uint32Array.from(piece, ([, slot]) => slot),
      );
      piece.forEach(([i], k) => (votes[i] = own[k]));
    }
    return votes;
  }

  /** The votes of these slots by all bits, divided by their norms. */
  #votes(looked: PreparedQuery['looked'], slots: Uint32Array): Float64Array {
    const features = new Uint16Array(slots.length);
    const lengths = new Uint32Array(slots.length);
    const places = new Float64Array(slots.length);
    for (let i = 0; i < slots.length; i++) {
      features[i] = this.#features.values[slots[i]];
      lengths[i] = beginning(features[i]);
      places[i] = this.#places.values[slots[i]];
    }
    const read = (into: Uint8Array): void => {
      this.#records.read(places, lengths, into);
      let at = 0;
      slots.forEach((slot, i) => {
        checkRecord(into, at, this.#slots.imageAt(slot)!);
        at += lengths[i];
      });
    };
    return votesOf(looked, { features, head: HEAD_BYTES, read }).map((votes, i) =>
      scoreOf(votes, this.#norms.values[slots[i]]),
    );
  }

  verify(query: Uint8Array, images: readonly ImageNumber[], options?: VerifyOptions): Steps<Verified> {
    return this.#comparison.verify(query, this.#stored(images), options);
  }

  /** Reads each when it is compared, into memory that the next one is read into; without those that are not held. */
  *#stored(images: readonly ImageNumber[]): Iterable<StoredReference> {
    for (const image of images) {
      const slot = this.#slots.slotOf(image);
      if (slot === undefined) continue;
      const record = this.#room(this.#lengths.values[slot]);
      this.#records.read(Float64Array.of(this.#places.values[slot]), Uint32Array.of(record.length), record);
      checkRecord(record, 0, image);
      yield { image, record, digest: this.#digests.at(slot) };
    }
  }

  #room(bytes: number): Uint8Array {
    if (bytes > this.#read.length) this.#read = new Uint8Array(2 * bytes);
    return this.#read.subarray(0, bytes);
  }

  *snapshot(written?: ReadonlySet<string>): Generator<Section | undefined, void, undefined> {
    if (this.#frozen) throw new SnapshotError('a snapshot is being made already');
    try {
      this.#frozen = true;
      this.#slots.hold(true);
      const state = this.#slots.images();
      yield* this.#lists.freeze();
      // the lists may have pictures that were added meanwhile: as if they were removed
      const images = new Uint32Array(this.#slots.end).fill(NO_IMAGE);
      images.set(state);
      const { numbers } = this.#lists;
      const shape = Uint32Array.of(images.length, numbers.length, ++this.#snapshots);
      const areas = [
        areaOf('shape', shape),
        areaOf('blocks', Uint32Array.from(numbers)),
        areaOf('images', images),
        ...this.#columns(images.length),
        ...this.#lists.areas(this.#snapshots),
      ];
      yield* sectionsOf(areas, written);
    } finally {
      this.#frozen = false;
      this.#slots.hold(false);
      this.#lists.thaw();
    }
  }

  *restore(sections: Iterable<Section>): Steps<void> {
    if (this.#slots.end > 0) throw new SnapshotError('the partition is not empty');
    const reader = new SectionReader(sections);
    const [slots, blocks, snapshots] = yield* reader.numbers('shape', 3);
    this.#snapshots = snapshots;
    if (blocks !== this.#lists.numbersOf(slots)) throw new SnapshotError(`${blocks} numbers of ${slots} slots`);
    const numbers = yield* reader.numbers('blocks', blocks);
    const images = yield* reader.numbers('images', slots);
    for (const area of this.#columns(slots)) yield* reader.fill(area);
    yield* this.#lists.restore(slots, numbers, reader);
    reader.end();
    const empty = yield* this.#slots.restore(images);
    for (const slot of empty) this.#removed.push(slot);
    for (let slot = 0; slot < slots; slot++) {
      if (this.#slots.imageAt(slot) !== undefined) this.#byDigest.add(slot);
      if (slot % SLOTS_PER_STEP === SLOTS_PER_STEP - 1) yield;
    }
  }

  /** What is held by slot, without the pictures. */
  #columns(slots: number): Area[] {
    return [
      this.#norms.area('norms', slots),
      this.#features.area('features', slots),
      this.#lengths.area('lengths', slots),
      this.#places.area('places', slots),
      this.#digests.area(slots),
    ];
  }
}
