/** Serializes work on the same id in the order of its arrival; work on different ids does not wait. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Starts `work` once all earlier work on this id has ended, with or without success. */
  run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(id, mine);
    const leave = () => {
      if (this.#last.get(id) === mine) this.#last.delete(id);
    };
    mine.then(leave, leave);
    return mine;
  }

  /** Ids with work in progress. */
  get size(): number {
    return this.#last.size;
  }
}
