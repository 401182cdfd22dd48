import { fail } from '../../errors.ts';

/** A file in memory, read at any place; reading past its end is a `Failure` DAMAGED_PICTURE. Multi-byte reads take `little` for the byte order. */
export class FileBytes {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    return this.#view.getUint8(this.#checked(at, 1));
  }

  u16(at: number, little = false): number {
    return this.#view.getUint16(this.#checked(at, 2), little);
  }

  u32(at: number, little = false): number {
    return this.#view.getUint32(this.#checked(at, 4), little);
  }

  i32(at: number, little = false): number {
    return this.#view.getInt32(this.#checked(at, 4), little);
  }

  /** Beyond 2^53 the value is rounded, which is past every file's end all the same. */
  u64(at: number, little = false): number {
    return Number(this.#view.getBigUint64(this.#checked(at, 8), little));
  }

  /** `length` bytes as Latin-1 characters. */
  text(at: number, length: number): string {
    this.#checked(at, length);
    return String.fromCharCode(...this.bytes.subarray(at, at + length));
  }

  /** Whether `text` (Latin-1) is at a place; false, not a failure, past the end. */
  has(text: string, at = 0): boolean {
    return at + text.length <= this.length && this.text(at, text.length) === text;
  }

  #checked(at: number, length: number): number {
    if (at + length <= this.length) return at;
    throw fail('DAMAGED_PICTURE', `the file ends at byte ${this.length}, expected ${length} more at byte ${at}`);
  }
}
