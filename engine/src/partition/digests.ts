import type { Area } from '../memory/areas.ts';
import { Column } from '../memory/column.ts';

/** A digest as `digest` gives it, as two numbers. */
export type DigestWords = readonly [high: number, low: number];

export function wordsOfDigest(digest: string): DigestWords {
  return [parseInt(digest.slice(0, 8), 16), parseInt(digest.slice(8), 16)];
}

/** The digests of pictures, by slot. */
export class Digests {
  readonly #words = new Column((length) => new Uint32Array(length), 2);

  get bytes(): number {
    return this.#words.bytes;
  }

  put(slot: number, digest: string): void {
    this.#words.reserve(slot + 1);
    this.#words.values.set(wordsOfDigest(digest), 2 * slot);
  }

  /** A number by which digests are distinguished fast. */
  hashAt(slot: number): number {
    return this.#words.values[2 * slot];
  }

  isAt(slot: number, [high, low]: DigestWords): boolean {
    const words = this.#words.values;
    return words[2 * slot] === high && words[2 * slot + 1] === low;
  }

  at(slot: number): string {
    const hex = (word: number): string => word.toString(16).padStart(8, '0');
    return hex(this.#words.values[2 * slot]) + hex(this.#words.values[2 * slot + 1]);
  }

  area(slots: number): Area {
    return this.#words.area('digests', slots);
  }
}
