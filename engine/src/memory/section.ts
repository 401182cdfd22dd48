/** A piece of the state of a partition. */
export interface Section {
  /** What the bytes are, in lower-case letters and hyphens. Pieces of the same name follow each other and belong together. */
  readonly name: string;
  /** At most `MOST_PIECE` of them. A view of the partition's memory, valid until the next call of any of its methods. */
  readonly bytes: Uint8Array;
}

/** Bytes of a piece, so that writing one is a matter of about a millisecond. */
export const MOST_PIECE = 1 << 20;

/** Sections that do not fit together. */
export class SnapshotError extends Error {
  override name = 'SnapshotError';
}
