/**
 * Bytes as a list of decisions, so that a test which builds its own requests is fuzzed like any parser: changing a byte
 * changes one decision. After the last byte every decision is 0.
 */
export class Choices {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** A whole number from 0 to n - 1; two bytes are taken where one is not enough. */
  below(n: number): number {
    const low = this.#byte();
    return (n > 256 ? low * 256 + this.#byte() : low) % n;
  }

  /** True for one byte in `n`. */
  oneIn(n: number): boolean {
    return this.below(n) === n - 1;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** As many bytes as there are, `length` at most. */
  bytes(length: number): Uint8Array {
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += taken.length;
    return taken;
  }

  /** What was not used. */
  rest(): Uint8Array {
    return this.bytes(this.#bytes.length);
  }

  #byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }
}
