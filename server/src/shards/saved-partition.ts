import type { ImageNumber, Partition, Restorable, Section, Steps } from '@sosia/engine';
import { NumberSet } from '../store/saved-index/number-set.ts';
import { partitionSections } from '../store/saved-index/partition-file.ts';
import type { PartFile, PartitionFile, PartitionFileWriter } from '../store/saved-index/partition-file.ts';
import type { SavedRecords } from './record-file.ts';

/** A partition in files. The numbers of its pictures come first, then its own sections. */
const NUMBERS = 'file-numbers';
const PIECE = 2 ** 18;

/** Files with a partition. */
export interface SavedPartition extends PartitionFile {
  /** Of a type that keeps some. */
  readonly records?: SavedRecords;
}

export function isRestorable(partition: Partition): partition is Partition & Restorable {
  return partition.snapshot !== undefined && partition.restore !== undefined;
}

/** Writes the state of a partition at one moment. */
export class PartitionWriter {
  readonly #pieces: Generator<Section | undefined, void>;

  /** Takes the state: to be made when no other call is under way. */
  constructor(partition: Restorable, images: NumberSet, written: readonly PartFile[]) {
    const sections = partition.snapshot(new Set(written.map(({ part }) => part)));
    const { value, done } = sections.next();
    const first = value && { ...value, bytes: value.bytes.slice() }; // a view until the next call
    const numbers = images.numbers();
    this.#pieces = (function* () {
      try {
        if (first) yield first;
        for (let at = 0; at < numbers.length; at += PIECE) {
          const { buffer, byteOffset, byteLength } = numbers.subarray(at, at + PIECE);
          yield { name: NUMBERS, bytes: new Uint8Array(buffer, byteOffset, byteLength) };
        }
        if (!done) yield* sections;
      } finally {
        sections.return();
      }
    })();
  }

  /**
   * Writes the next piece, of which the returned promise reports the end. A step of about a millisecond; the partition may change
   * between two of them.
   * @returns undefined once all pieces are written
   */
  *next(file: PartitionFileWriter): Steps<{ readonly written: Promise<void> } | undefined> {
    const { value, done } = this.#pieces.next();
    if (done) return undefined;
    return { written: value ? file.write(value) : Promise.resolve() };
  }

  /** Ends the view of the state, before or after the last piece. */
  end(): void {
    this.#pieces.return();
  }
}

/**
 * Fills an empty partition from its files.
 * @returns the pictures that it holds, and its parts
 * @throws for a file that is damaged, not the expected one, or does not fit; the partition must not be used then
 */
export function* restorePartition(
  partition: Partition & Restorable,
  saved: SavedPartition,
): Steps<{ readonly images: NumberSet; readonly parts: readonly PartFile[] }> {
  const pieces = partitionSections(saved);
  const images = new NumberSet();
  let parts: PartFile[] = [];
  function* sections(): Generator<Section> {
    for (;;) {
      const { value, done } = pieces.next();
      if (done) return void (parts = value);
      if (value.name !== NUMBERS) yield value;
      else for (const image of numbersIn(value.bytes)) images.add(image);
    }
  }
  try {
    const own = sections();
    yield* partition.restore(own);
    for (let next = own.next(); !next.done; next = own.next()) yield;
  } finally {
    pieces.return([]);
  }
  if (images.size !== partition.count) throw new Error(`expected ${images.size} pictures, found ${partition.count}`);
  return { images, parts };
}

function numbersIn(bytes: Uint8Array): Iterable<ImageNumber> {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}
