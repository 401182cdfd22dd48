import type { ApplicationType, ImageNumber, QueryOptions } from '@sosia/engine';

/** A reference picture that matched, before it gets its id and keywords back. */
export interface Hit {
  readonly image: ImageNumber;
  readonly score: number;
  readonly resultInfo: string;
}

/** The indexes of all applications, spread over worker threads; the main thread only sends and receives. */
export interface Partitions {
  /** Makes room for an application; adding to one that was not opened is an error. */
  open(application: number, type: ApplicationType): void;
  drop(application: number): void;
  /** Resolves when every later search sees the picture. */
  add(application: number, images: readonly { image: ImageNumber; dna: Uint8Array }[]): Promise<void>;
  /** Resolves when no later search sees the picture. */
  remove(application: number, image: ImageNumber): Promise<void>;
  /**
   * All matches, unordered by id: sorted by score, ties by `compare`.
   * @param only     the pictures to look among, ascending; null for all
   * @param compare  total order of pictures with equal score: image_id by UTF-8 bytes
   */
  search(
    application: number,
    query: Uint8Array,
    only: Uint32Array | null,
    compare: (a: ImageNumber, b: ImageNumber) => number,
    options: QueryOptions,
  ): Promise<Hit[]>;
  close(): Promise<void>;
}
