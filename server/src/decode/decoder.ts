import type { ApplicationType, Picture, Side } from '@sosia/engine';

/** Bytes of a picture file in; DNA or pixels out. Decoding and describing happen in a child process. */
export interface Decoder {
  /** Rejects with a `Failure`: not a picture, too large, damaged, nothing to describe, took too long, crashed, too busy. */
  describe(content: Uint8Array, type: ApplicationType, side: Side): Promise<Uint8Array>;
  /**
   * The pixels themselves, reduced to `longestSide` where the picture is larger, never enlarged.
   * @param longestSide  1 to 4,096 pixels
   */
  decode(content: Uint8Array, longestSide: number): Promise<Picture>;
  close(): Promise<void>;
}
