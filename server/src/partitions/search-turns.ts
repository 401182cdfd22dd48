import { FairLine } from '../fair-line.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** One search at a time, the applications in turn: however many one has waiting, another waits for one of them at most. */
export class SearchTurns {
  readonly #metrics: Metrics;
  readonly #line = new FairLine<() => Promise<void>>();
  #busy = false;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  take<T>(application: number, work: () => Promise<T>): Promise<T> {
    const arrived = performance.now();
    return new Promise((resolve, reject) => {
      this.#line.push(application, () => {
        this.#metrics.observe('searchSeconds', (performance.now() - arrived) / 1000, { phase: 'wait' });
        return work().then(resolve, reject);
      });
      if (!this.#busy) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#busy = true;
    for (let turn = this.#line.shift(); turn; turn = this.#line.shift()) await turn();
    this.#busy = false;
  }
}
