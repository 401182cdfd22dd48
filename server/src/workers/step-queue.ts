import { setImmediate as later } from 'node:timers/promises';
import type { Steps } from '@sosia/engine';
import { FairQueue } from './fair-queue.ts';

/** Milliseconds of work for one application before another one that waits has its turn. */
const SLICE = 2;

/** Does as much as fits into a slice; true when nothing is left. */
type Job = () => boolean;

/**
 * The work of one thread, in slices. Applications take turns; the work of one application is done in the order it came, each
 * piece to its end. So a search that takes long delays another application by a slice for each slice of its own.
 */
export class StepQueue {
  readonly #line = new FairQueue<Job>();
  readonly #slice: number;
  #busy = false;

  constructor(slice = SLICE) {
    this.#slice = slice;
  }

  /** @param begin  called once it is the turn of this work; rejects where it or a step throws */
  do<T>(application: number, begin: () => Steps<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let steps: Steps<T> | undefined;
      this.#line.push(application, () => {
        const end = performance.now() + this.#slice;
        try {
          steps ??= begin();
          do {
            const { done, value } = steps.next();
            if (!done) continue;
            resolve(value);
            return true;
          } while (performance.now() < end);
          return false;
        } catch (cause) {
          reject(cause);
          return true;
        }
      });
      if (!this.#busy) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#busy = true;
    for (let job = this.#line.turn(); job; job = this.#line.turn()) {
      if (job()) this.#line.remove(job);
      await later(); // what arrived meanwhile is in the line before the next turn
    }
    this.#busy = false;
  }
}
