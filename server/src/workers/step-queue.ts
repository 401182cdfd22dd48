import { setImmediate as later } from 'node:timers/promises';
import type { Steps } from '@sosia/engine';
import { FairQueue } from './fair-queue.ts';

/** Milliseconds of work for one application while another one waits. */
const SLICE = 2;

/** Does as much as fits into a slice; true when nothing is left. */
type Job = () => boolean;

/**
 * Cooperative scheduling of one thread. Applications are served round robin by time slices; the work of one application is done in
 * the order of its arrival, one piece after another. So a long search delays another application by one slice for each
 * slice of its own.
 */
export class StepQueue {
  readonly #jobs = new FairQueue<Job>();
  readonly #slice: number;
  #busy = false;

  constructor(slice = SLICE) {
    this.#slice = slice;
  }

  /** @param begin  called when this work has its first slice; rejects where `begin` or a step throws */
  run<T>(application: number, begin: () => Steps<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let steps: Steps<T> | undefined;
      this.#jobs.push(application, () => {
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
      if (!this.#busy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#busy = true;
    for (let job = this.#jobs.next(); job; job = this.#jobs.next()) {
      if (job()) this.#jobs.remove(job);
      await later(); // messages that arrived meanwhile are queued before the next slice
    }
    this.#busy = false;
  }
}
