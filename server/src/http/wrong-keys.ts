import type { Limits } from './limits.ts';

const maxAddresses = 10_000;

/**
 * A token bucket per address for requests with a wrong key. Requests with a valid key do not use it: behind a proxy all
 * clients have one address, and one that guesses must not stop the others.
 */
export class WrongKeys {
  readonly #limits: Limits;
  readonly #buckets = new Map<string, { tokens: number; filledAt: number }>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Whether one more is accepted. @param now  milliseconds of a monotonic clock */
  allow(address: string, now = performance.now()): boolean {
    const { wrongKeysAtOnce: most, wrongKeysPerSecond: perSecond } = this.#limits;
    const bucket = this.#buckets.get(address) ?? { tokens: most, filledAt: now };
    bucket.tokens = Math.min(most, bucket.tokens + ((now - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = now;

    // the least recent address is removed first
    this.#buckets.delete(address);
    this.#buckets.set(address, bucket);
    if (this.#buckets.size > maxAddresses) this.#buckets.delete(this.#buckets.keys().next().value!);

    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}
