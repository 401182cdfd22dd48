import { fail } from '../errors.ts';

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

/** Bounds how much work of one key runs at a time, in the order of its arrival. Keys do not wait for each other. */
export class KeyedSemaphore<K> {
  readonly #limit: number;
  readonly #waitLimit: number;
  readonly #queues = new Map<K, Queue>();

  /** @param waitLimit  longest wait, in milliseconds; then OVERLOADED */
  constructor(limit: number, waitLimit: number) {
    this.#limit = limit;
    this.#waitLimit = waitLimit;
  }

  /** Starts the work once fewer than `limit` of the same key run. Rejects with OVERLOADED or what the work throws. */
  async run<T>(key: K, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (queue.running < this.#limit) queue.running++;
    else await this.#wait(queue);
    try {
      return await work();
    } finally {
      const next = queue.waiting.shift();
      if (next) next();
      else if (--queue.running === 0) this.#queues.delete(key);
    }
  }
  /** Resolves when work that ends hands over its slot. */
  #wait({ waiting }: Queue): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(fail('OVERLOADED', `expected to start within ${this.#waitLimit} ms`));
      }, this.#waitLimit);
      waiting.push(start);
    });
  }
}
