import type { Budget } from './budget.ts';

/** Bytes of the first buffer, where no length is declared. */
const START = 4_096;
/** One read of a socket. A buffer of that size is enough to find the key in a body that begins with it. */
const FIRST = 65_536;

/**
 * Bytes that arrive in pieces, copied into one buffer that doubles when it is full. The budget counts the capacity of
 * the buffer, and of both buffers while one is copied to the next, so that the memory does not depend on the sizes of
 * the pieces. Fails with OVERLOADED, in `append`, `countBeside` and `assignTo`, when the budget has no room.
 */
export class HeldBytes {
  readonly #budget: Budget;
  #holder: object | undefined;
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;
  #beside = 0;
  #released = false;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** All bytes so far: a view, which the next `append` may leave behind with an older buffer of the same content. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** @param most  bytes that are expected in all, if that is known; a buffer never grows beyond what is needed for them */
  append(piece: Uint8Array, most = Infinity): void {
    if (this.#released) return;
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length) this.#grow(needed, most);
    if (piece.length === 1) this.#buffer[this.#length] = piece[0]!;
    else this.#buffer.set(piece, this.#length);
    this.#length = needed;
  }

  /** Fails where the bytes that are announced would not fit now; without a holder the first of them count. */
  admit(bytes: number): void {
    if (this.#holder) this.#budget.admit(bytes, this.#holder);
    else this.#budget.admit(Math.min(bytes, FIRST), undefined, true);
  }

  /** So many bytes in all are held beside the buffer. */
  countBeside(bytes: number): void {
    if (this.#released) return;
    this.#take(bytes - this.#beside);
    this.#beside = bytes;
  }

  /** From now on the bytes are part of the share of `holder`. */
  assignTo(holder: object): void {
    if (this.#released) return;
    const held = this.#buffer.length + this.#beside;
    if (held > 0) this.#budget.assign(held, holder);
    this.#holder = holder;
  }

  /** Drops the buffer and gives everything back to the budget. Nothing is taken after that. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#giveBack(this.#buffer.length + this.#beside);
    this.#buffer = Buffer.alloc(0);
    this.#length = 0;
  }

  #grow(needed: number, most: number): void {
    const capacity = Math.max(needed, Math.min(most, Math.max(START, 2 * this.#buffer.length)));
    this.#take(capacity, capacity <= FIRST);
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
