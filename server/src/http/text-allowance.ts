import { fail } from '../errors.ts';

/** Memory of a text beside its characters, in bytes: its place in the list of its name. */
const ENTRY_BYTES = 128;
/** Bytes of texts that are not counted, since every connection takes more than that. */
const UNCOUNTED_BYTES = 8_192;

/** The limit of text in one request, names and values together, in bytes of UTF-8. */
export class TextAllowance {
  readonly #most: number;
  #bytes = 0;
  #texts = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Memory to count for the texts, at two bytes per character; 0 for the few texts of most requests. */
  get memory(): number {
    return Math.max(0, 2 * this.#bytes + ENTRY_BYTES * this.#texts - UNCOUNTED_BYTES);
  }

  /** Fails with BAD_PARAMETER above the limit. */
  admit(bytes: number, name: string): void {
    if (this.#bytes + bytes > this.#most) {
      throw fail('BAD_PARAMETER', `${name}: expected at most ${this.#most} bytes of text in one request`);
    }
  }

  take(bytes: number, name: string): void {
    this.admit(bytes, name);
    this.#bytes += bytes;
    this.#texts++;
  }
}
