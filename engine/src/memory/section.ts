/** A piece of the state of a partition. */
export interface Section {
  /** What the bytes are, in lower-case letters and hyphens. Pieces of the same name follow each other and belong together. */
  readonly name: string;
  /** At most `MAX_PIECE_BYTES` of them. A view of the partition's memory, valid until the next call of any of its methods. */
  readonly bytes: Uint8Array;
  /** The name of the part of the state that the section belongs to, if that part changes rarely: another content has another name. */
  readonly part?: string | undefined;
}

/** The name of the only section, without bytes, that is made of a part which is written already. */
export const WRITTEN_SECTION = 'written';

/** Bytes of a piece, so that writing one is a matter of about a millisecond. */
export const MAX_PIECE_BYTES = 1 << 20;

/** Sections that do not fit together. */
export class SnapshotError extends Error {
  override name = 'SnapshotError';
}
