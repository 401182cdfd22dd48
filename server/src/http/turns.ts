/** Lets work that waits in a line go on: one piece of it in each turn of the event loop. */
export class Turns {
  readonly #line: (() => void)[] = [];

  enter(goOn: () => void): void {
    if (this.#line.push(goOn) === 1) setImmediate(() => this.#next());
  }

  #next(): void {
    this.#line[0]!(); // which may enter the line again
    this.#line.shift();
    if (this.#line.length > 0) setImmediate(() => this.#next());
  }
}
