import { fail } from '../errors.ts';

/**
 * A resource with a common limit for all requests: bytes of memory, concurrent operations. One holder may have as much
 * as is left free. So a holder alone has half, two have a third each, and a new one finds a free part (A. K. Choudhury
 * and E. L. Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", IEEE/ACM Transactions on
 * Networking 6(2), 1998). Requests without a holder share a fixed part of the total. Part of that is reserved for the
 * first amount that each of them takes, so that new requests can reach the key, which names the holder.
 */
export class Budget {
  readonly total: number;
  readonly #of: string;
  readonly #mostWithoutHolder: number;
  readonly #keptForFirst: number;
  readonly #holders = new WeakMap<object, number>();
  #held = 0;
  #withoutHolder = 0;

  /** @param withoutHolder  the maximum of all requests without a holder  @param keptForFirst  included in it */
  constructor(total: number, of: string, { withoutHolder = total, keptForFirst = 0 } = {}) {
    this.total = total;
    this.#of = of;
    this.#mostWithoutHolder = withoutHolder;
    this.#keptForFirst = keptForFirst;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Fails with OVERLOADED if an announced amount would not fit now.
   * @param first  whether it is the first that a request takes
   */
  admit(amount: number, holder?: object, first = false): void {
    const free = this.total - this.#held;
    if (amount > free) throw fail('OVERLOADED', `too many ${this.#of} at once`);
    if (holder && this.#heldBy(holder) + amount > free - amount) {
      throw fail('OVERLOADED', `too many ${this.#of} of one application at once`);
    }
    const most = this.#mostWithoutHolder - (first ? 0 : this.#keptForFirst);
    if (!holder && this.#withoutHolder + amount > most) {
      throw fail('OVERLOADED', `too many ${this.#of} without an application key at once`);
    }
  }

  take(amount: number, holder?: object, first = false): void {
    this.admit(amount, holder, first);
    this.#change(amount, holder);
  }

  giveBack(amount: number, holder?: object): void {
    this.#change(-amount, holder);
  }

  /** Moves an amount taken without a holder to `holder`. Fails with OVERLOADED, without a change, beyond its share. */
  assign(amount: number, holder: object): void {
    this.giveBack(amount);
    try {
      this.take(amount, holder);
    } catch (cause) {
      this.#change(amount);
      throw cause;
    }
  }

  #change(amount: number, holder?: object): void {
    this.#held += amount;
    if (holder) this.#holders.set(holder, this.#heldBy(holder) + amount);
    else this.#withoutHolder += amount;
  }

  #heldBy(holder: object): number {
    return this.#holders.get(holder) ?? 0;
  }
}
