import { setTimeout as pause } from 'node:timers/promises';

const MAX_HOSTS = 10_000;

/** Lets requests to one host begin at a bounded rate, after a first few at once (the generic cell rate algorithm). */
export class HostPace {
  readonly #interval: number;
  readonly #burst: number;
  /** When the requests so far would have begun at the bounded rate, by host; the most recent last. */
  readonly #due = new Map<string, number>();

  /** @param perSecond  requests to one host  @param atOnce  requests to a host that was idle */
  constructor(perSecond: number, atOnce: number) {
    this.#interval = 1000 / perSecond;
    this.#burst = (atOnce - 1) * this.#interval;
  }

  /** Milliseconds until one more request may begin, which then counts. @param now  of a monotonic clock */
  next(host: string, now = performance.now()): number {
    const due = Math.max(this.#due.get(host) ?? 0, now);
    this.#due.delete(host);
    this.#due.set(host, due + this.#interval);
    if (this.#due.size > MAX_HOSTS) this.#due.delete(this.#due.keys().next().value!);
    return Math.max(0, due - this.#burst - now);
  }

  /** Rejects with an `AbortError` if the signal comes first. */
  async wait(host: string, signal: AbortSignal): Promise<void> {
    const ms = this.next(host);
    if (ms > 0) await pause(ms, undefined, { signal });
  }
}
