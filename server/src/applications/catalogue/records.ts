import { randomBytes } from 'node:crypto';
import { HashTable } from './hash-table.ts';
import { PagedNumbers } from './paged-numbers.ts';

/** Words of a page: 64 KB. An address is the page and the word in it. */
const PAGE_BITS = 14;
export const PAGE = 2 ** PAGE_BITS;

/** Drawn at the start, so that nobody can prepare texts with equal hashes. Nothing else depends on them. */
const SEED = randomBytes(4).readInt32LE();
const FACTOR = randomBytes(4).readInt32LE() | 1;

const encoder = new TextEncoder();
const scratch = Buffer.alloc(4096);

/**
 * Records of a text and a list of numbers, in flat memory without an object for each. A record has a handle, a small
 * number that is used again after its removal, and is found by its text.
 *
 * In words of 32 bits: length of the text in bytes | count of numbers << 16, the numbers, the text as UTF-8. The memory
 * of a removed record serves the next one of the same size.
 */
export class Records {
  readonly #words: Uint32Array[] = [];
  readonly #bytes: Buffer[] = [];
  /** The address behind the last record. */
  #top = 0;
  /** By size in words: the address + 1 of the first free piece, whose first word is the next one; 0 is the end. */
  readonly #freePieces: number[] = [];

  /** Address of a record by its handle; of a free handle, the next free one + 1. */
  readonly #addresses = new PagedNumbers();
  #freeHandle = 0;
  #end = 0;
  #count = 0;
  readonly #byText = new HashTable((handle) => this.#hash(handle));

  get count(): number {
    return this.#count;
  }

  /** One above the highest handle ever used. */
  get end(): number {
    return this.#end;
  }

  /**
   * @param text  well-formed
   * @returns the handle
   * @throws RangeError for a record that does not fit into a page of 64 KB
   */
  add(text: string, numbers: readonly number[]): number {
    const bytes = encoded(text);
    const size = 1 + numbers.length + ((bytes.length + 3) >>> 2);
    if (size > PAGE) throw new RangeError(`expected a record of at most ${PAGE} words, got ${size}`);
    const address = this.#allocate(size);
    const words = this.#words[address >>> PAGE_BITS]!;
    const start = address % PAGE;
    words[start] = bytes.length | (numbers.length << 16);
    words.set(numbers, start + 1);
    this.#bytes[address >>> PAGE_BITS]!.set(bytes, 4 * (start + 1 + numbers.length));

    const handle = this.#takeHandle();
    this.#addresses.set(handle, address);
    this.#byText.add(handle);
    this.#count++;
    return handle;
  }

  /** A view, until the record is removed: length of the text and count of numbers, the numbers, the text. */
  words(handle: number): Uint32Array {
    const address = this.#addresses.get(handle);
    const words = this.#words[address >>> PAGE_BITS]!;
    const start = address % PAGE;
    return words.subarray(start, start + sizeIn(words, start));
  }

  /**
   * Adds records whose words are one behind the other, at most a page of them; for records of which none was removed.
   * @returns how many
   * @throws RangeError for words that are not such records
   */
  adopt(copied: Uint32Array): number {
    if (copied.length > PAGE) throw new RangeError(`expected at most ${PAGE} words, got ${copied.length}`);
    const first = this.#end;
    const page = new ArrayBuffer(4 * PAGE);
    const words = new Uint32Array(page);
    words.set(copied);
    const base = this.#words.length * PAGE;
    this.#words.push(words);
    this.#bytes.push(Buffer.from(page));
    let at = 0;
    while (at < copied.length) {
      const size = sizeIn(words, at);
      if (at + size > copied.length)
        throw new RangeError(`expected a record of ${size} words, found ${copied.length - at}`);
      this.#addresses.set(this.#end, base + at);
      this.#byText.add(this.#end++);
      at += size;
    }
    this.#top = base + at;
    this.#count += this.#end - first;
    return this.#end - first;
  }

  remove(handle: number): void {
    this.#byText.remove(handle);
    const address = this.#addresses.get(handle);
    const words = this.#words[address >>> PAGE_BITS]!;
    const size = sizeIn(words, address % PAGE);
    words[address % PAGE] = this.#freePieces[size] ?? 0;
    this.#freePieces[size] = address + 1;
    this.#addresses.set(handle, this.#freeHandle);
    this.#freeHandle = handle + 1;
    this.#count--;
  }

  /** The handle of a text; -1 if there is none. */
  find(text: string): number {
    const bytes = encoded(text);
    return this.#byText.find(hashOf(bytes, 0, bytes.length), (handle) => this.compareWith(handle, bytes) === 0);
  }

  text(handle: number): string {
    const { bytes, start, end } = this.#text(handle);
    return bytes.toString('utf8', start, end);
  }

  /** A view, until the record is removed. */
  numbers(handle: number): Uint32Array {
    const address = this.#addresses.get(handle);
    const words = this.#words[address >>> PAGE_BITS]!;
    const start = address % PAGE;
    return words.subarray(start + 1, start + 1 + (words[start]! >>> 16));
  }

  /** Whether a record has a number. */
  has(handle: number, number: number): boolean {
    const address = this.#addresses.get(handle);
    const words = this.#words[address >>> PAGE_BITS]!;
    const start = address % PAGE;
    for (let i = start + (words[start]! >>> 16); i > start; i--) if (words[i] === number) return true;
    return false;
  }

  /** Whether a record has a number whose bit is set; bit n is bit n mod 32 of word n / 32. */
  hasAny(handle: number, bits: Uint32Array): boolean {
    const address = this.#addresses.get(handle);
    const words = this.#words[address >>> PAGE_BITS]!;
    const start = address % PAGE;
    for (let i = start + (words[start]! >>> 16); i > start; i--)
      if (bits[words[i]! >>> 5]! & (1 << (words[i]! & 31))) return true;
    return false;
  }

  /** By the bytes of the texts; negative, 0 or positive, as for `sort`. */
  compare(a: number, b: number): number {
    const [one, other] = [this.#addresses.get(a), this.#addresses.get(b)];
    const [words, others] = [this.#words[one >>> PAGE_BITS]!, this.#words[other >>> PAGE_BITS]!];
    const [length, otherLength] = [words[one % PAGE]! & 0xffff, others[other % PAGE]! & 0xffff];
    const start = textIn(words, one % PAGE);
    const otherStart = textIn(others, other % PAGE);
    const shared = Math.min(length, otherLength);
    let same = 0;
    while (same < shared >>> 2 && words[start + same] === others[otherStart + same]) same++;
    const bytes = this.#bytes[one >>> PAGE_BITS]!;
    const otherBytes = this.#bytes[other >>> PAGE_BITS]!;
    for (let i = 4 * same; i < shared; i++) {
      const difference = bytes[4 * start + i]! - otherBytes[4 * otherStart + i]!;
      if (difference !== 0) return difference;
    }
    return length - otherLength;
  }

  /** As `compare`, with the bytes of a text. */
  compareWith(handle: number, text: Uint8Array): number {
    const { bytes, start, end } = this.#text(handle);
    const shared = Math.min(end - start, text.length);
    for (let i = 0; i < shared; i++) {
      const difference = bytes[start + i]! - text[i]!;
      if (difference !== 0) return difference;
    }
    return end - start - text.length;
  }

  #hash(handle: number): number {
    const { bytes, start, end } = this.#text(handle);
    return hashOf(bytes, start, end);
  }

  #text(handle: number): { bytes: Buffer; start: number; end: number } {
    const address = this.#addresses.get(handle);
    const words = this.#words[address >>> PAGE_BITS]!;
    const start = 4 * textIn(words, address % PAGE);
    return { bytes: this.#bytes[address >>> PAGE_BITS]!, start, end: start + (words[address % PAGE]! & 0xffff) };
  }

  #allocate(size: number): number {
    const free = this.#freePieces[size] ?? 0;
    if (free > 0) {
      const address = free - 1;
      this.#freePieces[size] = this.#words[address >>> PAGE_BITS]![address % PAGE]!;
      return address;
    }
    const room = this.#words.length * PAGE - this.#top;
    if (size > room) {
      const page = new ArrayBuffer(4 * PAGE);
      this.#top = this.#words.length * PAGE;
      this.#words.push(new Uint32Array(page));
      this.#bytes.push(Buffer.from(page));
    }
    const address = this.#top;
    this.#top += size;
    return address;
  }

  #takeHandle(): number {
    if (this.#freeHandle === 0) return this.#end++;
    const handle = this.#freeHandle - 1;
    this.#freeHandle = this.#addresses.get(handle);
    return handle;
  }
}

function sizeIn(words: Uint32Array, record: number): number {
  const head = words[record]!;
  return 1 + (head >>> 16) + (((head & 0xffff) + 3) >>> 2);
}

/** The word where the text of a record begins. */
function textIn(words: Uint32Array, record: number): number {
  return record + 1 + (words[record]! >>> 16);
}

/** UTF-8, valid until the next call. */
function encoded(text: string): Uint8Array {
  if (3 * text.length > scratch.length) return encoder.encode(text);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
    scratch[i] = unit;
  }
  return scratch.subarray(0, text.length);
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = SEED;
  for (let i = start; i < end; i++) {
    hash = Math.imul(hash ^ bytes[i]!, FACTOR);
    hash ^= hash >>> 15;
  }
  // all bits of the last byte reach the high bits, which choose the segment
  return Math.imul(hash, 0x9e3779b1);
}
