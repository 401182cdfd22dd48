/** Continues one piece of waiting work in each iteration of the event loop. */
export class LoopQueue {
  readonly #waiting: (() => void)[] = [];

  push(work: () => void): void {
    if (this.#waiting.push(work) === 1) setImmediate(() => this.#next());
  }

  #next(): void {
    this.#waiting[0]!(); // which may be pushed again
    this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }
}
