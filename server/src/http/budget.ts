import { fail } from '../errors.ts';

/**
 * Something that all requests together may hold only so much of: bytes of memory, turns to work. One holder may have as
 * much as is left free, so that a holder alone has half, two have a third each, and whoever comes finds room (A. K.
 * Choudhury and E. L. Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", IEEE/ACM Transactions
 * on Networking 6(2), 1998). What is taken without a holder is bounded by the total alone.
 */
export class Budget {
  readonly total: number;
  readonly #of: string;
  readonly #holders = new Map<object, number>();
  #held = 0;

  constructor(total: number, of: string) {
    this.total = total;
    this.#of = of;
  }

  get held(): number {
    return this.#held;
  }

  /** Fails with OVERLOADED when so much, which is only announced, would not fit now. */
  admit(amount: number, holder?: object): void {
    const free = this.total - this.#held;
    if (amount > free) throw fail('OVERLOADED', `too many ${this.#of} at once`);
    if (holder && this.#heldBy(holder) + amount > free - amount) {
      throw fail('OVERLOADED', `too many ${this.#of} of one application at once`);
    }
  }

  take(amount: number, holder?: object): void {
    this.admit(amount, holder);
    this.#held += amount;
    if (holder) this.#holders.set(holder, this.#heldBy(holder) + amount);
  }

  giveBack(amount: number, holder?: object): void {
    this.#held -= amount;
    if (!holder) return;
    const left = this.#heldBy(holder) - amount;
    if (left > 0) this.#holders.set(holder, left);
    else this.#holders.delete(holder);
  }

  #heldBy(holder: object): number {
    return this.#holders.get(holder) ?? 0;
  }
}
