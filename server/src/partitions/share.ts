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
  Verdict,
} from '@sosia/engine';

/** Partitions of several applications, held together by one thread. Methods mirror `Partition`, per application. */
export interface Share {
  open(application: number, type: ApplicationType): void;
  drop(application: number): void;
  add(application: number, images: readonly ReferenceImage[]): void;
  remove(application: number, image: ImageNumber): void;
  candidates(
    application: number,
    query: Uint8Array,
    only: Uint32Array | null,
    limit: number,
    options: QueryOptions,
  ): Candidate[];
  verify(
    application: number,
    query: Uint8Array,
    images: readonly ImageNumber[],
    options: QueryOptions,
  ): readonly Verdict[];
  explain(application: number, query: Uint8Array, image: ImageNumber): Explanation | undefined;
  rank(application: number, query: Uint8Array, only: Uint32Array | null, cut: Cut, options: QueryOptions): Ranking;
  fill(application: number, only: Uint32Array | null, colors: readonly number[]): Fill;
  holders(application: number, only: Uint32Array | null, colors: readonly number[], grouping: Grouping): Uint32Array;
  size(application: number): Size;
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

export function createShare(recipes: Readonly<Partial<Record<ApplicationType, Recipe>>>): Share {
  const partitions = new Map<number, Partition>();

  function held(application: number): Partition {
    const partition = partitions.get(application);
    if (!partition) throw new Error(`application ${application} is not open`);
    return partition;
  }

  return {
    open(application, type) {
      const recipe = recipes[type];
      if (!recipe) throw new Error(`no recipe for ${type}`);
      if (partitions.has(application)) throw new Error(`application ${application} is open already`);
      partitions.set(application, recipe.createPartition());
    },
    drop: (application) => void partitions.delete(application),
    add(application, images) {
      const partition = held(application);
      for (const { image, dna } of images) partition.add(image, dna);
    },
    remove: (application, image) => held(application).remove(image),
    candidates: (application, query, only, limit, options) => held(application).candidates(query, only, limit, options),
    verify: (application, query, images, options) => held(application).verify(query, images, options),
    explain: (application, query, image) => held(application).explain?.(query, image),
    rank: (application, query, only, cut, options) => held(application).rank!(query, only, cut, options),
    fill: (application, only, colors) => held(application).fill!(only, colors),
    holders: (application, only, colors, grouping) => held(application).holders!(only, colors, grouping),
    size(application) {
      const { count, bytes } = held(application);
      return { count, bytes };
    },
  };
}
