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

type CreatePartition = (type: ApplicationType, network?: NetworkIdentity) => Partition;

/** The partitions of all applications in one thread. Methods are those of `Partition`, with the application before them. */
export class Shard {
  readonly #partitions = new Map<number, Partition>();
  readonly #create: CreatePartition;

  constructor(create: CreatePartition) {
    this.#create = create;
  }

  *open(application: number, type: ApplicationType, network?: NetworkIdentity): Steps<void> {
    if (this.#partitions.has(application)) throw new Error(`application ${application} is open already`);
    this.#partitions.set(application, this.#create(type, network));
  }

  *drop(application: number): Steps<void> {
    this.#partitions.delete(application);
  }

  *add(application: number, images: readonly ReferenceImage[]): Steps<void> {
    const partition = this.#of(application);
    for (const { image, dna } of images) {
      partition.add(image, dna);
      yield;
    }
  }

  remove(application: number, image: ImageNumber): Steps<void> {
    return this.#of(application).remove(image);
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

  #of(application: number): Partition {
    const partition = this.#partitions.get(application);
    if (!partition) throw new Error(`application ${application} is not open`);
    return partition;
  }
}
