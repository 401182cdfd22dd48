import { fail } from '../errors.ts';
import { type Remote, Thread } from '../workers/thread.ts';
import type { Matcher } from './matcher.ts';

/** Threads that describe and compare pictures for searches. They hold nothing, so a thread that ends is replaced. */
export class Matchers {
  readonly #threads: { thread: Thread<Matcher>; running: number }[];
  #closed = false;

  constructor(count: number) {
    this.#threads = Array.from({ length: count }, () => this.#start());
  }

  get count(): number {
    return this.#threads.length;
  }

  /** Calls the thread that has least to do. */
  async run<T>(call: (matcher: Remote<Matcher>) => Promise<T>): Promise<T> {
    const chosen = this.#threads.reduce((least, each) => (each.running < least.running ? each : least));
    chosen.running++;
    try {
      return await call(chosen.thread.remote);
    } finally {
      chosen.running--;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.map(({ thread }) => thread.terminate()));
  }

  #start(): { thread: Thread<Matcher>; running: number } {
    const thread = new Thread<Matcher>(new URL('./matcher.thread.js', import.meta.url), () => {
      if (this.#closed) return fail('SHUTTING_DOWN');
      const at = this.#threads.findIndex((each) => each.thread === thread);
      if (at >= 0) this.#threads[at] = this.#start();
      return fail('INTERNAL');
    });
    return { thread, running: 0 };
  }
}
