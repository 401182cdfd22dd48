import type { Budget } from './budget.ts';

/** By what the memory grows. */
const PAGE_BYTES = 4_096;
/** One read of a socket. So many bytes suffice to find the key in a body that begins with it. */
const SOCKET_READ_BYTES = 65_536;

/**
 * Bytes that arrive in pieces, in memory that grows in its place by pages. The budget counts the pages, so that the memory does not
 * depend on the sizes of the pieces. `release` returns them to the system at once; a plain buffer would stay until the next collection
 * of garbage, which an idle process does not begin, and then in the free lists of malloc.
 * `append`, `countBeside` and `assignTo` fail with OVERLOADED if the budget is exhausted.
 */
export class HeldBytes {
  readonly #budget: Budget;
  #holder: object | undefined;
  #memory = new ArrayBuffer(0);
  #view = new Uint8Array(this.#memory);
  #length = 0;
  #beside = 0;
  #released = false;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** All bytes so far, as a view, which is empty after `release`. */
  get bytes(): Buffer {
    return Buffer.from(this.#memory, 0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** @param most  bytes of all pieces together, the same in each call */
  append(piece: Uint8Array, most: number): void {
    if (this.#released) return;
    const needed = this.#length + piece.length;
    if (needed > this.#memory.byteLength) this.#grow(needed, most);
    this.#view.set(piece, this.#length);
    this.#length = needed;
  }

  /** Fails if the announced bytes would not fit now; without a holder the first of them count. */
  admit(bytes: number): void {
    if (this.#holder) this.#budget.admit(bytes, this.#holder);
    else this.#budget.admit(Math.min(bytes, SOCKET_READ_BYTES), undefined, true);
  }

  /** Sets the number of bytes in use beside the buffer. */
  countBeside(bytes: number): void {
    if (this.#released) return;
    this.#take(bytes - this.#beside);
    this.#beside = bytes;
  }

  /** Moves the bytes to the share of `holder`. */
  assignTo(holder: object): void {
    if (this.#released) return;
    const held = this.#memory.byteLength + this.#beside;
    if (held > 0) this.#budget.assign(held, holder);
    this.#holder = holder;
  }

  /** Returns everything, to the budget too. Later bytes are ignored. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#budget.giveBack(this.#memory.byteLength + this.#beside, this.#holder);
    this.#length = 0;
    if (this.#memory.resizable) this.#memory.resize(0);
  }

  #grow(needed: number, most: number): void {
    const capacity = Math.min(most, Math.ceil(needed / PAGE_BYTES) * PAGE_BYTES);
    this.#take(capacity - this.#memory.byteLength, capacity <= SOCKET_READ_BYTES);
    if (!this.#memory.resizable) {
      this.#memory = new ArrayBuffer(capacity, { maxByteLength: most });
      this.#view = new Uint8Array(this.#memory);
    }
    this.#memory.resize(capacity);
  }

  #take(bytes: number, first = false): void {
    if (bytes > 0) this.#budget.take(bytes, this.#holder, first);
  }
}
