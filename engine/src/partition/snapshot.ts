import type { Section } from '../memory/section.ts';
import type { Steps } from '../steps.ts';

/**
 * The form of all snapshots of this engine. It changes with every change of what the sections hold, and with every rule that
 * makes them from DNA. A snapshot of another version is not read: the partition is built anew from the DNA.
 */
export const SNAPSHOT_VERSION = 1;

/** A partition that can be written to a file and read from there. All numbers are little endian. */
export interface Restorable {
  /**
   * The state at the first step: image numbers and all that `restore` needs, without the records of
   * `ReferenceRecords`, which last by themselves. It can be made beside other work: pictures may be added, removed and searched for between two pieces
   * and do not change what the next ones say; `undefined` is a step without a piece. One snapshot at a time. It must be
   * finished or ended by `return()` (`for … of` does either), since space is given again only after it.
   */
  snapshot(written?: ReadonlySet<string>): Generator<Section | undefined, void, undefined>;

  /**
   * Fills an empty partition, before its first other call. The pieces are those of one snapshot in their order, with the same
   * type and version, and those of a part that was written before in its place; they may be cut otherwise. The bytes of a piece are read before the next one is requested. The bytes
   * themselves must be checked by a checksum before; here only their shape is, as far as a later call could fail on it.
   * @throws SnapshotError when the shape is wrong; the partition must not be used then
   */
  restore(sections: Iterable<Section>): Steps<void>;
}
