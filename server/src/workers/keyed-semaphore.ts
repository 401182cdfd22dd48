import { QUESTIONS } from '@sosia/engine';
import type { Metrics } from '../metrics/metrics.ts';

/**
 * As many searches of one application at a time as its partitions keep questions, in the order they came: more would have
 * each question prepared again and again. Those of different applications do not wait for each other here, see `StepQueue`.
 */
export class KeyedSemaphore {
  readonly #metrics: Metrics;
  /** By application: the searches under way, and those that wait. */
  readonly #lines = new Map<number, { going: number; readonly waiting: (() => void)[] }>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  async take<T>(application: number, work: () => Promise<T>): Promise<T> {
    const arrived = performance.now();
    const line = this.#lines.get(application) ?? { going: 0, waiting: [] };
    this.#lines.set(application, line);
    if (line.going < QUESTIONS) line.going++;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    this.#metrics.observe('searchSeconds', (performance.now() - arrived) / 1000, { phase: 'wait' });
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.going === 0) this.#lines.delete(application);
    }
  }
}
