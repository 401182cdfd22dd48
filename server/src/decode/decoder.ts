import type { ApplicationType, DescribeOptions, Difference, Picture, Side } from '@sosia/engine';

/**
 * Bytes of a picture file in; DNA or pixels out. Decoding and describing happen in a child process. Tenants take turns;
 * where too many pictures wait, the tenant that has the most of them makes room for the others.
 */
export interface Decoder {
  /** Throws what a picture of the tenant would be refused with if it came now; nothing where it would be taken. */
  expect(tenant: number): void;
  /** Rejects with a `Failure`: not a picture, too large, damaged, nothing to describe, took too long, crashed, too busy. */
  describe(
    content: Uint8Array,
    type: ApplicationType,
    side: Side,
    tenant?: number,
    options?: DescribeOptions,
  ): Promise<Uint8Array>;
  /** What is kept of a reference picture. Rejects as `describe` does. */
  keep(content: Uint8Array, type: ApplicationType, tenant?: number, options?: DescribeOptions): Promise<Kept>;
  /**
   * The pixels themselves, reduced to `longestSide` where the picture is larger, never enlarged.
   * @param longestSide  1 to 4,096 pixels
   */
  decode(content: Uint8Array, longestSide: number, tenant?: number): Promise<Picture>;
  /**
   * Lays two picture files on each other and marks where they differ. Rejects with NOT_ALIGNED where they do not show
   * the same, and with what `decode` rejects with.
   */
  compare(reference: Uint8Array, query: Uint8Array, tenant?: number): Promise<MarkedComparison>;
  close(): Promise<void>;
}

export interface Kept {
  readonly dna: Uint8Array;
  /** A JPEG of at most 320 pixels a side and 16 KB. */
  readonly thumbnail: Uint8Array;
}

export interface MarkedComparison {
  /** In [0, 1], 0 for the same picture. */
  readonly score: number;
  readonly regions: readonly Difference[];
  /** From pixels of the one JPEG to pixels of the other. */
  readonly homography: readonly number[];
  /** JPEG files. */
  readonly reference: Uint8Array;
  readonly query: Uint8Array;
}
