import { closeSync, fdatasync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { ReferenceRecords, Steps } from '@sosia/engine';
import { KeptRecords } from './kept-records.ts';

/** A record is padded to whole units, and begins at one. */
const UNIT = 16;
/** Bytes of a record under one checksum. */
const BLOCK = 4080;
const CHECKSUM = 4;
/** An address is the unit where a record begins, and its length in units. */
const LENGTHS = 2 ** 16;
/** Bytes of records in memory above which they are written: a small application needs no file. */
const MOST_IN_MEMORY = 64 * 2 ** 20;

/** Records written in one step. */
const AT_ONCE = 64;

/** A file of records, as a saved partition names it. */
export interface SavedRecords {
  readonly path: string;
  /** The unit behind its records. */
  readonly end: number;
}

/** A record that cannot be read, or is damaged. */
export class RecordError extends Error {
  readonly code = RECORD_DAMAGED;
}

/** The code of a `RecordError`, which loses its class on the way between threads. */
export const RECORD_DAMAGED = 'RECORD_DAMAGED';

/**
 * Records of a partition in memory, and in a file once there are many or the partition is saved. Each block of a record is followed by
 * its CRC-32, which begins with the address of the record, so that no block counts as one of another record.
 *
 * A failure to write leaves records in memory. The bytes of a removed record may be used again once a partition without it is saved.
 */
export class RecordFile implements ReferenceRecords {
  readonly path: string;
  #file: number | undefined;
  #end: number;
  /** Records that are not in the file, with their checksums, by address. */
  readonly #pending = new Map<number, Buffer>();
  #pendingBytes = 0;
  readonly #kept = new KeptRecords();
  /** Addresses by length in units. */
  readonly #free = new Map<number, number[]>();
  #removed: number[] = [];
  #scratch = Buffer.alloc(2 * BLOCK);

  /** @param saved  an existing file to continue */
  constructor(path: string, saved?: SavedRecords) {
    this.path = saved?.path ?? path;
    this.#end = saved?.end ?? 0;
    if (saved) this.#file = openSync(saved.path, 'r+');
  }

  get bytes(): number {
    return this.#pendingBytes + this.#kept.bytes;
  }

  put(record: Uint8Array): number {
    const units = Math.ceil(record.length / UNIT);
    if (units >= LENGTHS) throw new RangeError(`expected a record below ${LENGTHS * UNIT} bytes, got ${record.length}`);
    const address = this.#free.get(units)?.pop() ?? this.#append(units);
    const padded = units * UNIT;
    const framed = Buffer.alloc(storedLength(padded));
    for (let at = 0, to = 0; at < padded; at += BLOCK) {
      const end = to + Math.min(BLOCK, padded - at);
      framed.set(record.subarray(at, at + BLOCK), to);
      to = framed.writeUInt32LE(crc32(framed.subarray(to, end), seedOf(address)), end);
    }
    this.#kept.drop(address);
    this.#pending.set(address, framed);
    this.#pendingBytes += framed.length;
    if (this.#pendingBytes > MOST_IN_MEMORY) this.#tryToWrite(2);
    return address;
  }

  read(addresses: Float64Array, lengths: Uint32Array, into: Uint8Array): void {
    this.#kept.use();
    for (let i = 0, at = 0; i < addresses.length; at += lengths[i++]!) {
      this.#read(addresses[i]!, lengths[i]!, into.subarray(at, at + lengths[i]!));
    }
  }

  remove(address: number): void {
    this.#removed.push(address);
  }

  /** The addresses that were removed so far; to be given to `release` once a partition of this moment is saved. */
  takeRemoved(): readonly number[] {
    return this.#removed.splice(0);
  }

  /** Allows the use of these addresses for other records. */
  release(addresses: readonly number[]): void {
    for (const address of addresses) {
      const units = address % LENGTHS;
      const free = this.#free.get(units);
      if (free) free.push(address);
      else this.#free.set(units, [address]);
    }
  }

  /** Writes the records that are in memory. @throws the error of the file system */
  *write(): Steps<void> {
    for (let left = this.#pending.size; left > 0 && this.#pending.size > 0; left -= AT_ONCE, yield)
      this.#write(AT_ONCE);
  }

  /**
   * Makes all records durable; those that `write` has not written are written at once.
   * @throws the error of the file system
   */
  async save(): Promise<SavedRecords> {
    this.#write(Infinity);
    const end = this.#end;
    await promisify(fdatasync)(this.#opened());
    return { path: this.path, end };
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#kept.clear();
  }

  #append(units: number): number {
    const address = this.#end * LENGTHS + units;
    this.#end += Math.ceil(storedLength(units * UNIT) / UNIT);
    return address;
  }

  #read(address: number, length: number, into: Uint8Array): void {
    const whole = (address % LENGTHS) * UNIT;
    if (length > whole)
      throw new RangeError(`expected at most ${whole} bytes of the record at ${address}, got ${length}`);
    const kept = this.#kept.beginning(address, length);
    if (kept) return into.set(kept);
    const read = Math.min(whole, Math.ceil(length / BLOCK) * BLOCK);
    const pending = this.#pending.get(address);
    const stored = pending ?? this.#stored(address, storedLength(read));
    for (let at = 0, from = 0; at < read; at += BLOCK) {
      const size = Math.min(BLOCK, read - at);
      const block = stored.subarray(from, from + size);
      if (!pending) this.#check(address, block, stored.readUInt32LE(from + size));
      into.set(block.subarray(0, Math.min(size, length - at)), at);
      from += size + CHECKSUM;
    }
    if (!pending) this.#kept.keep(address, into);
  }

  #check(address: number, block: Uint8Array, found: number): void {
    const expected = crc32(block, seedOf(address));
    if (found === expected) return;
    throw new RecordError(
      `${this.path}: expected the checksum ${expected} of the record at ${address}, found ${found}`,
    );
  }

  #stored(address: number, length: number): Buffer {
    if (this.#scratch.length < length) this.#scratch = Buffer.alloc(2 * length);
    const start = Math.floor(address / LENGTHS) * UNIT;
    const read = this.#file === undefined ? 0 : readSync(this.#file, this.#scratch, 0, length, start);
    if (read < length) throw new RecordError(`${this.path}: expected ${length} bytes at ${start}, found ${read}`);
    return this.#scratch;
  }

  #tryToWrite(most: number): void {
    try {
      this.#write(most);
    } catch {
      // no room: the records stay in memory, and the next one tries again
    }
  }

  /** The oldest ones. */
  #write(most: number): void {
    const file = this.#opened();
    for (const [address, framed] of this.#pending) {
      if (most-- <= 0) return;
      const start = Math.floor(address / LENGTHS) * UNIT;
      for (let at = 0; at < framed.length;) at += writeSync(file, framed, at, framed.length - at, start + at);
      this.#pending.delete(address);
      this.#pendingBytes -= framed.length;
    }
  }

  #opened(): number {
    if (this.#file === undefined) {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      this.#file = openSync(this.path, 'wx+', 0o600);
    }
    return this.#file;
  }
}

/** Bytes with the checksums. */
function storedLength(length: number): number {
  return length + CHECKSUM * Math.ceil(length / BLOCK);
}

function seedOf(address: number): number {
  return Math.floor(address / LENGTHS) >>> 0;
}
