import type {
  ApplicationType,
  Candidate,
  Cut,
  Fill,
  Grouping,
  ImageNumber,
  NetworkIdentity,
  Partition,
  QueryOptions,
  Ranking,
  Steps,
  Verified,
  VerifyOptions,
} from '@sosia/engine';
import { NumberSet } from '../store/saved-index/number-set.ts';
import { SectionWriter } from '../store/saved-index/section-file.ts';
import type { StepQueue } from '../workers/step-queue.ts';
import { isSaved, PartitionWriter, restorePartition } from './saved-partition.ts';
import type { SavedPartition } from './saved-partition.ts';

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
  readonly partition: Partition;
  readonly images: NumberSet;
  /** An empty partition of the same kind. */
  readonly empty: () => Partition;
}

export type CreatePartition = (type: ApplicationType, network?: NetworkIdentity) => Partition;

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

  *open(application: number, type: ApplicationType, network?: NetworkIdentity): Steps<void> {
    if (this.#held.has(application)) throw new Error(`application ${application} is open already`);
    const empty = (): Partition => this.#create(type, network);
    this.#held.set(application, { type, partition: empty(), images: new NumberSet(), empty });
  }

  /** Fills an application without pictures from a file; after a fault it is still without any. */
  *restore(application: number, saved: SavedPartition): Steps<Restored> {
    const { type, partition, empty } = this.#heldBy(application);
    try {
      if (!isSaved(type, partition)) throw new Error('pictures of this type are not saved');
      const images = yield* restorePartition(partition, saved);
      this.#held.set(application, { type, partition, images, empty });
      return { images: images.numbers() };
    } catch (cause) {
      this.#held.set(application, { type, partition: empty(), images: new NumberSet(), empty });
      return { fault: (cause as Error).message };
    }
  }

  /**
   * Writes the pictures of this moment to a file, beside other calls.
   * @returns undefined for a type whose pictures are not saved
   */
  async save(application: number, path: string): Promise<SavedPartition | undefined> {
    const writer = await this.#queue.run(application, () => this.#writer(application));
    if (!writer) return undefined;
    let file: SectionWriter | undefined;
    try {
      file = await SectionWriter.create(path);
      for (;;) {
        const piece = await this.#queue.run(-application, () => writer.next(file!));
        if (!piece) break;
        await piece.written;
      }
      const checksum = await file.finish();
      return { path, checksum };
    } catch (cause) {
      await file?.abandon();
      throw cause;
    } finally {
      writer.end();
    }
  }

  *drop(application: number): Steps<void> {
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
    only: Uint32Array | null,
    limit: number,
    options: QueryOptions,
  ): Steps<Candidate[]> {
    return this.#of(application).candidates(query, only, limit, options);
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
    only: Uint32Array | null,
    cut: Cut,
    options: QueryOptions,
  ): Steps<Ranking> {
    return this.#of(application).rank!(query, only, cut, options);
  }

  fill(application: number, only: Uint32Array | null, colors: readonly number[]): Steps<Fill> {
    return this.#of(application).fill!(only, colors);
  }

  holders(
    application: number,
    only: Uint32Array | null,
    colors: readonly number[],
    grouping: Grouping,
  ): Steps<Uint32Array> {
    return this.#of(application).holders!(only, colors, grouping);
  }

  *size(application: number): Steps<Size> {
    const { count, bytes } = this.#of(application);
    return { count, bytes };
  }

  *#writer(application: number): Steps<PartitionWriter | undefined> {
    const { type, partition, images } = this.#heldBy(application);
    return isSaved(type, partition) ? new PartitionWriter(partition, images) : undefined;
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
