import type { ApplicationType, Side } from '@sosia/engine';

/** Bytes of a picture file in, DNA out; decoding and describing happen in a child process. */
export interface Decoder {
  /** Rejects with a `Failure`: not a picture, too large, damaged, nothing to describe, took too long, crashed, too busy. */
  describe(content: Uint8Array, type: ApplicationType, side: Side): Promise<Uint8Array>;
  close(): Promise<void>;
}
