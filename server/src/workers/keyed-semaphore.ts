interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Bounds how much work of one key runs at a time, in the order of its arrival. Keys do not wait for each other. */
export class KeyedSemaphore<K> {
  readonly #limit: number;
  readonly #lines = new Map<K, Line>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Starts the work once fewer than `limit` of the same key run. */
  async run<T>(key: K, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.running < this.#limit) line.running++;
    else await new Promise<void>((resolve) => line.waiting.push(resolve)); // takes over the place of the one that ends
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) this.#lines.delete(key);
    }
  }
}
