import { fail } from '../errors.ts';

/** Something that all requests together may hold only so much of: bytes of memory, turns to work. */
export class Budget {
  readonly #total: number;
  readonly #of: string;
  #held = 0;

  constructor(total: number, of: string) {
    this.#total = total;
    this.#of = of;
  }

  /** Fails with OVERLOADED when so much, which is only announced, would not fit now. */
  admit(amount: number): void {
    if (this.#held + amount > this.#total) throw fail('OVERLOADED', `too many ${this.#of} at once`);
  }

  take(amount: number): void {
    this.admit(amount);
    this.#held += amount;
  }

  giveBack(amount: number): void {
    this.#held -= amount;
  }
}
