import { fail } from '../errors.ts';

/** The memory that all requests together may hold. */
export class Budget {
  readonly #total: number;
  #held = 0;

  constructor(total: number) {
    this.#total = total;
  }

  get held(): number {
    return this.#held;
  }

  /** Fails with OVERLOADED when so many bytes, which are only announced, would not fit now. */
  admit(bytes: number): void {
    if (this.#held + bytes > this.#total) throw fail('OVERLOADED', 'too many uploads at once');
  }

  take(bytes: number): void {
    this.admit(bytes);
    this.#held += bytes;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}
