import { fail } from '../errors.ts';

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Bounds how much work of one key runs at a time, in the order of its arrival. Keys do not wait for each other. */
export class KeyedSemaphore<K> {
  readonly #limit: number;
  readonly #waitLimit: number;
  readonly #lines = new Map<K, Line>();

  /** @param waitLimit  longest wait, in milliseconds; then OVERLOADED */
  constructor(limit: number, waitLimit: number) {
    this.#limit = limit;
    this.#waitLimit = waitLimit;
  }

  /** Starts the work once fewer than `limit` of the same key run. Rejects with OVERLOADED or what the work throws. */
  async run<T>(key: K, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.running < this.#limit) line.running++;
    else await this.#turn(line);
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) this.#lines.delete(key);
    }
  }
  /** Resolves when work that ends hands over its place. */
  #turn({ waiting }: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(fail('OVERLOADED', `expected a turn within ${this.#waitLimit} ms`));
      }, this.#waitLimit);
      waiting.push(start);
    });
  }
}
