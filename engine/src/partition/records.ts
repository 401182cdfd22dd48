/**
 * Where a partition keeps what it reads of few references only: their signatures, places and miniatures, about 10 KB each. In
 * memory, or in a file that outlasts the process. A record begins with the number of its picture (uint32, little endian), which the
 * partition checks. All calls return when they are done.
 */
export interface ReferenceRecords {
  /** Memory in use, in bytes. */
  readonly bytes: number;

  /**
   * Keeps a record, the bytes of which are copied.
   * @returns its place: a whole number below 2^53 by which it is read, and which snapshots of the partition hold. A place that is
   *   removed may be given again, where the records are in a file not before a snapshot without it has replaced the last one.
   */
  put(record: Uint8Array): number;

  /**
   * Reads the first bytes of some records, one after the other.
   * @param places   as `put` returned them
   * @param lengths  how many bytes of each, at most its length
   * @param into     has room for all of them
   * @throws where a record cannot be read, or is damaged as far as that can be noticed
   */
  read(places: Float64Array, lengths: Uint32Array, into: Uint8Array): void;

  /** The record is not read any more. */
  remove(place: number): void;
}
