import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { makePrivate, roomIn, syncFolder } from '../folder.ts';

/**
 * A file of named pieces of bytes, written once from front to back.
 *
 *     8 bytes   magic
 *     pieces:   length of the name n, length of the bytes m      2 × uint32, little endian
 *               the name, ASCII                                  n bytes
 *               the bytes                                        m bytes
 *               CRC-32 of the piece so far, continued from that of the piece before     uint32
 *     the last piece has the name "end" and no bytes
 *
 * So each byte of the file is under a checksum, and no piece can be missing, repeated or in another place. The checksum is
 * CRC-32 instead of CRC-32C, because zlib has it compiled: 2 GB take a second.
 */
const MAGIC = Buffer.from('sosiaidx');
const END = 'end';
const HEAD = 8;
const CHECKSUM = 4;
/** Longest name and largest piece, so that a damaged length takes no memory. */
const MOST_NAME = 64;
const MOST_BYTES = 2 ** 24;

/** Free bytes that a file leaves on the disk: changes of pictures need them more. */
export const RESERVE = 128 * 2 ** 20;
/** Bytes written between two looks at the free space. */
const LOOK = 8 * 2 ** 20;

export interface Piece {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file that is damaged, unfinished or not one of sections. */
export class SectionFileError extends Error {}

/** Writes a file under a temporary name. Nothing of it shows under its own name before `finish`. */
export class SectionWriter {
  readonly path: string;
  readonly #file: FileHandle;
  #crc = 0;
  #written = 0;
  #looked = 0;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<SectionWriter> {
    await rm(draftOf(path), { force: true });
    makePrivate(draftOf(path));
    const writer = new SectionWriter(path, await open(draftOf(path), 'r+'));
    try {
      await writer.#put(MAGIC);
    } catch (cause) {
      await writer.abandon();
      throw cause;
    }
    return writer;
  }

  /** The bytes are read before this returns its promise. Fails on a disk without room for other files. */
  write({ name, bytes }: Piece): Promise<void> {
    if (name === END) throw new RangeError(`the name ${END} is that of the last piece`);
    return this.#put(this.#framed(name, bytes));
  }

  /**
   * Makes the file durable under its own name.
   * @returns the checksum of the last piece, which depends on all bytes
   */
  async finish(): Promise<number> {
    await this.#put(this.#framed(END, new Uint8Array()));
    await this.#file.sync();
    await this.#file.close();
    await rename(draftOf(this.path), this.path);
    syncFolder(dirname(this.path));
    return this.#crc;
  }

  /** Removes what was written, instead of `finish`. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => {});
    await rm(draftOf(this.path), { force: true }).catch(() => {});
  }

  #framed(name: string, bytes: Uint8Array): Buffer {
    const framed = Buffer.allocUnsafe(HEAD + name.length + bytes.length + CHECKSUM);
    framed.writeUInt32LE(name.length, 0);
    framed.writeUInt32LE(bytes.length, 4);
    framed.write(name, HEAD, 'latin1');
    framed.set(bytes, HEAD + name.length);
    const end = framed.length - CHECKSUM;
    this.#crc = crc32(framed.subarray(0, end), this.#crc);
    framed.writeUInt32LE(this.#crc, end);
    return framed;
  }

  async #put(bytes: Uint8Array): Promise<void> {
    if (this.#written === 0 || this.#written - this.#looked >= LOOK) {
      this.#looked = this.#written;
      const room = roomIn(dirname(this.path));
      if (room < RESERVE) throw new Error(`expected ${RESERVE} free bytes on the disk, found ${room}`);
    }
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at);
      at += bytesWritten;
    }
    this.#written += bytes.length;
  }
}

/** The name of a file while it is written. */
function draftOf(path: string): string {
  return `${path}.draft`;
}

/**
 * The pieces of a file in their order, each checked before. The bytes are valid until the next piece is requested. The
 * file is whole only once the generator has ended, which returns the checksum of the last piece.
 * @throws SectionFileError, also for a missing file
 */
export function* sectionsIn(path: string): Generator<Piece, number, undefined> {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (cause) {
    throw new SectionFileError((cause as Error).message);
  }
  try {
    const { size } = fstatSync(file);
    let at = 0;
    let buffer = Buffer.alloc(HEAD);
    const take = (length: number, into: number): void => {
      if (at + length > size) throw new SectionFileError(`expected ${length} bytes at ${at}, found ${size - at}`);
      for (let done = 0; done < length;) {
        const read = readSync(file, buffer, into + done, length - done, at + done);
        if (read === 0) throw new SectionFileError(`expected ${length} bytes at ${at}, found ${done}`);
        done += read;
      }
      at += length;
    };
    take(MAGIC.length, 0);
    if (!buffer.subarray(0, MAGIC.length).equals(MAGIC)) throw new SectionFileError('not a file of sections');
    for (let crc = 0; ;) {
      const start = at;
      take(HEAD, 0);
      const [nameLength, length] = [buffer.readUInt32LE(0), buffer.readUInt32LE(4)];
      if (nameLength > MOST_NAME || length > MOST_BYTES) {
        throw new SectionFileError(`expected the lengths of a piece at ${start}, found ${nameLength} and ${length}`);
      }
      // the bytes begin at a multiple of 8, so that arrays of numbers can be views
      const begin = (HEAD + nameLength + 7) & ~7;
      const shift = begin - HEAD - nameLength;
      if (begin + length + CHECKSUM > buffer.length) {
        const larger = Buffer.alloc(begin + length + CHECKSUM);
        buffer.copy(larger, 0, 0, HEAD);
        buffer = larger;
      }
      buffer.copy(buffer, shift, 0, HEAD);
      take(nameLength + length + CHECKSUM, shift + HEAD);
      const end = begin + length;
      crc = crc32(buffer.subarray(shift, end), crc);
      const found = buffer.readUInt32LE(end);
      if (found !== crc)
        throw new SectionFileError(`expected the checksum ${crc} of the piece at ${start}, found ${found}`);
      const name = buffer.toString('latin1', shift + HEAD, begin);
      if (name !== END) {
        yield { name, bytes: new Uint8Array(buffer.buffer, buffer.byteOffset + begin, length) };
        continue;
      }
      if (at !== size) throw new SectionFileError(`expected the end at ${at}, found ${size - at} bytes more`);
      return crc;
    }
  } finally {
    closeSync(file);
  }
}
