import type {
  ApplicationType,
  Candidate,
  Cut,
  Explanation,
  Fill,
  Grouping,
  ImageNumber,
  Partition,
  QueryOptions,
  Ranking,
  Recipe,
  Steps,
  Verified,
} from '@sosia/engine';

/**
 * Shards of several applications, held together by one thread. Methods mirror `Partition`; the first argument is the
 * application.
 */
export interface Shard {
  open(application: number, type: ApplicationType): Steps<void>;
  drop(application: number): Steps<void>;
  add(application: number, images: readonly ReferenceImage[]): Steps<void>;
  remove(application: number, image: ImageNumber): Steps<void>;
  candidates(
    application: number,
    query: Uint8Array,
    only: Uint32Array | null,
    limit: number,
    options: QueryOptions,
  ): Steps<Candidate[]>;
  verify(
    application: number,
    query: Uint8Array,
    images: readonly ImageNumber[],
    options: QueryOptions,
  ): Steps<Verified>;
  explain(application: number, query: Uint8Array, image: ImageNumber): Steps<Explanation | undefined>;
  rank(
    application: number,
    query: Uint8Array,
    only: Uint32Array | null,
    cut: Cut,
    options: QueryOptions,
  ): Steps<Ranking>;
  fill(application: number, only: Uint32Array | null, colors: readonly number[]): Steps<Fill>;
  holders(
    application: number,
    only: Uint32Array | null,
    colors: readonly number[],
    grouping: Grouping,
  ): Steps<Uint32Array>;
  size(application: number): Steps<Size>;
}

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

export function createShard(recipes: Readonly<Partial<Record<ApplicationType, Recipe>>>): Shard {
  const partitions = new Map<number, Partition>();

  function held(application: number): Partition {
    const partition = partitions.get(application);
    if (!partition) throw new Error(`application ${application} is not open`);
    return partition;
  }

  return {
    *open(application, type) {
      const recipe = recipes[type];
      if (!recipe) throw new Error(`no recipe for ${type}`);
      if (partitions.has(application)) throw new Error(`application ${application} is open already`);
      partitions.set(application, recipe.createPartition());
    },
    *drop(application) {
      partitions.delete(application);
    },
    *add(application, images) {
      const partition = held(application);
      for (const { image, dna } of images) {
        partition.add(image, dna);
        yield;
      }
    },
    remove: (application, image) => held(application).remove(image),
    candidates: (application, query, only, limit, options) => held(application).candidates(query, only, limit, options),
    verify: (application, query, images, options) => held(application).verify(query, images, options),
    *explain(application, query, image) {
      const steps = held(application).explain?.(query, image);
      return steps && (yield* steps);
    },
    rank: (application, query, only, cut, options) => held(application).rank!(query, only, cut, options),
    fill: (application, only, colors) => held(application).fill!(only, colors),
    holders: (application, only, colors, grouping) => held(application).holders!(only, colors, grouping),
    *size(application) {
      const { count, bytes } = held(application);
      return { count, bytes };
    },
  };
}
