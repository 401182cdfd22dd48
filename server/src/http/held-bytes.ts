import type { Budget } from './budget.ts';

/** Bytes of the first buffer if no length is declared. */
const FIRST_BUFFER_BYTES = 4_096;
const nothing = Buffer.alloc(0);
/** One read of a socket. A buffer of that size suffices to find the key in a body that begins with it. */
const SOCKET_READ_BYTES = 65_536;

/**
 * Bytes that arrive in pieces, copied into one buffer that doubles when it is full. The budget counts the capacity of
 * the buffer, and of both buffers during a copy, so that the memory does not depend on the sizes of the pieces.
 * `append`, `countBeside` and `assignTo` fail with OVERLOADED if the budget is exhausted.
 */
export class HeldBytes {
  readonly #budget: Budget;
  #holder: object | undefined;
  #buffer: Buffer = nothing;
  #length = 0;
  #beside = 0;
  #released = false;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** All bytes so far, as a view. The next `append` may move the content to another buffer. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** @param most  the expected total, if known; a buffer never grows beyond that */
  append(piece: Uint8Array, most = Infinity): void {
    if (this.#released) return;
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length) this.#grow(needed, most);
    if (piece.length === 1) this.#buffer[this.#length] = piece[0]!;
    else this.#buffer.set(piece, this.#length);
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
    const held = this.#buffer.length + this.#beside;
    if (held > 0) this.#budget.assign(held, holder);
    this.#holder = holder;
  }

  /** Drops the buffer and returns everything to the budget. Later bytes are ignored. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#giveBack(this.#buffer.length + this.#beside);
    this.#buffer = nothing;
    this.#length = 0;
  }

  #grow(needed: number, most: number): void {
    const capacity = Math.max(needed, Math.min(most, Math.max(FIRST_BUFFER_BYTES, 2 * this.#buffer.length)));
    this.#take(capacity, capacity <= SOCKET_READ_BYTES);
    const larger = Buffer.allocUnsafeSlow(capacity);
    larger.set(this.bytes);
    this.#giveBack(this.#buffer.length);
    this.#buffer = larger;
  }

  #take(bytes: number, first = false): void {
    if (bytes > 0) this.#budget.take(bytes, this.#holder, first);
  }

  #giveBack(bytes: number): void {
    this.#budget.giveBack(bytes, this.#holder);
  }
}
