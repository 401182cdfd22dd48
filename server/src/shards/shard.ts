import type {
  ApplicationType,
  Candidates,
  Cut,
  Fill,
  Grouping,
  ImageNumber,
  NetworkIdentity,
  Partition,
  QueryOptions,
  ReferenceRecords,
  Restorable,
  Ranking,
  Selection,
  Steps,
  Verified,
  VerifyOptions,
} from '@sosia/engine';
import { typeDefinitions } from '@sosia/engine';
import { NumberSet } from '../store/saved-index/number-set.ts';
import { type PartFile, PartitionFileWriter } from '../store/saved-index/partition-file.ts';
import type { StepQueue } from '../workers/step-queue.ts';
import { RecordFile, type SavedRecords } from './record-file.ts';
import { isRestorable, PartitionWriter, restorePartition, type SavedPartition } from './saved-partition.ts';

export interface ReferenceImage {
  readonly image: ImageNumber;
  readonly dna: Uint8Array;
}

export interface Size {
  /** Pictures held. */
  readonly count: number;
  /** Memory in use for them, in bytes. */
  readonly bytes: number;
}

/** The outcome of reading a saved partition: its pictures, ascending, or why it could not be used. */
export type Restored = { readonly images: Uint32Array } | { readonly fault: string };

/** An open application. */
interface Held {
  readonly type: ApplicationType;
  readonly network: NetworkIdentity | undefined;
  /** Of the file for records; undefined where pictures are not saved. */
  readonly recordsPath: string | undefined;
  readonly partition: Partition;
  readonly records: RecordFile | undefined;
  readonly images: NumberSet;
  /** Places of removed records that become free once a partition without them is saved. */
  readonly freeable: number[];
  /** Parts of the partition in the files that were saved last; and in those that `saved` will confirm. */
  parts: readonly PartFile[];
  newParts: readonly PartFile[];
}

/** @param records  for types that keep some */
type CreatePartition = (type: ApplicationType, network?: NetworkIdentity, records?: ReferenceRecords) => Partition;

/** The partitions of all applications in one thread. Methods are those of `Partition`, with the application before them. */
export class Shard {
  readonly #held = new Map<number, Held>();
  readonly #create: CreatePartition;
  readonly #queue: StepQueue;

  /** @param queue  that carries out the calls */
  constructor(create: CreatePartition, queue: StepQueue) {
    this.#create = create;
    this.#queue = queue;
  }

  /** @param recordsPath  of a file for the records of its pictures; in memory alone if missing */
  *open(application: number, type: ApplicationType, network?: NetworkIdentity, recordsPath?: string): Steps<void> {
    if (this.#held.has(application)) throw new Error(`application ${application} is open already`);
    this.#held.set(application, this.#empty({ type, network, recordsPath }));
  }

  /** Fills an application without pictures from a file; after a fault it is still without any. */
  *restore(application: number, saved: SavedPartition): Steps<Restored> {
    const before = this.#heldBy(application);
    let held: Held | undefined;
    try {
      held = this.#empty(before, saved.records);
      if (!isSaved(held)) throw new Error('pictures of this type are not saved');
      const { images, parts } = yield* restorePartition(held.partition, saved);
      this.#held.set(application, { ...held, images, parts });
      return { images: images.numbers() };
    } catch (cause) {
      held?.records?.close();
      return { fault: (cause as Error).message };
    }
  }

  /**
   * Writes the pictures of this moment to files, beside other calls, and their records to theirs.
   * @returns undefined for a type whose pictures are not saved
   */
  async save(application: number, path: string): Promise<SavedPartition | undefined> {
    const begun = await this.#queue.run(application, () => this.#begin(application));
    if (!begun) return undefined;
    const { writer, held } = begun;
    const { records } = held;
    let file: PartitionFileWriter | undefined;
    try {
      file = await PartitionFileWriter.create(path, held.parts);
      for (;;) {
        const piece = await this.#queue.run(-application, () => writer.next(file!));
        if (!piece) break;
        await piece.written;
      }
      if (records) await this.#queue.run(-application, () => records.write());
      const savedRecords = await records?.save();
      const saved = await file.finish();
      held.newParts = saved.parts;
      return { ...saved, ...(savedRecords && savedRecords.end > 0 && { records: savedRecords }) };
    } catch (cause) {
      await file?.abandon();
      throw cause;
    } finally {
      writer.end();
    }
  }

  /** To be called when the files of `save` have replaced earlier ones. */
  *saved(application: number): Steps<void> {
    const held = this.#heldBy(application);
    held.records?.release(held.freeable.splice(0));
    held.parts = held.newParts;
  }

  *drop(application: number): Steps<void> {
    this.#held.get(application)?.records?.close();
    this.#held.delete(application);
  }

  *add(application: number, images: readonly ReferenceImage[]): Steps<void> {
    const { partition, images: held } = this.#heldBy(application);
    for (const { image, dna } of images) {
      partition.add(image, dna);
      held.add(image);
      yield;
    }
  }

  remove(application: number, image: ImageNumber): Steps<void> {
    const { partition, images } = this.#heldBy(application);
    images.delete(image);
    return partition.remove(image);
  }

  candidates(
    application: number,
    query: Uint8Array,
    only: Selection | null,
    limit: number,
    options: QueryOptions,
  ): Steps<Candidates> {
    return this.#of(application).candidates(query, only, limit, options);
  }

  /** Undefined where the type has no finer votes. */
  *votes(application: number, query: Uint8Array, images: readonly ImageNumber[]): Steps<Float64Array | undefined> {
    return yield* this.#of(application).votes?.(query, images) ?? [];
  }

  verify(
    application: number,
    query: Uint8Array,
    images: readonly ImageNumber[],
    options: VerifyOptions,
  ): Steps<Verified> {
    return this.#of(application).verify(query, images, options);
  }

  rank(
    application: number,
    query: Uint8Array,
    only: Selection | null,
    cut: Cut,
    options: QueryOptions,
  ): Steps<Ranking> {
    return this.#of(application).rank!(query, only, cut, options);
  }

  fill(application: number, only: Selection | null, colors: readonly number[]): Steps<Fill> {
    return this.#of(application).fill!(only, colors);
  }

  holders(
    application: number,
    only: Selection | null,
    colors: readonly number[],
    grouping: Grouping,
  ): Steps<Uint32Array> {
    return this.#of(application).holders!(only, colors, grouping);
  }

  *size(application: number): Steps<Size> {
    const { count, bytes } = this.#of(application);
    return { count, bytes };
  }

  *#begin(application: number): Steps<{ writer: PartitionWriter; held: Held } | undefined> {
    const held = this.#heldBy(application);
    if (!isSaved(held)) return undefined;
    const writer = new PartitionWriter(held.partition, held.images, held.parts);
    held.freeable.push(...(held.records?.takeRemoved() ?? []));
    return { writer, held };
  }

  #empty({ type, network, recordsPath }: Pick<Held, 'type' | 'network' | 'recordsPath'>, saved?: SavedRecords): Held {
    const records = recordsPath === undefined ? undefined : new RecordFile(recordsPath, saved);
    const partition = this.#create(type, network, records);
    const nothing = { images: new NumberSet(), freeable: [], parts: [], newParts: [] };
    return { type, network, recordsPath, partition, records, ...nothing };
  }

  #of(application: number): Partition {
    return this.#heldBy(application).partition;
  }

  #heldBy(application: number): Held {
    const held = this.#held.get(application);
    if (!held) throw new Error(`application ${application} is not open`);
    return held;
  }
}

/** Types that are not exhaustive keep records, which a restored partition needs. */
function isSaved(held: Held): held is Held & { readonly partition: Restorable } {
  const kept = typeDefinitions[held.type].exhaustive === true || held.records !== undefined;
  return kept && isRestorable(held.partition);
}
