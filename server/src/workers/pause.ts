/** A pause that a call ends. A call before it ends it at once. */
export class Pause {
  #isOver = false;
  #end = (): void => {};

  readonly end = (): void => {
    this.#isOver = true;
    this.#end();
  };

  /** @param ms  after which it ends by itself */
  async wait(ms?: number): Promise<void> {
    if (!this.#isOver) {
      await new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isOver = false;
  }
}
