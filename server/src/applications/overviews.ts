import { setTimeout as pause } from 'node:timers/promises';
import type { Overview } from './application.ts';
import type { Applications } from './applications.ts';

/** Milliseconds between two counts. */
const INTERVAL = 15_000;

/** Milliseconds for which a count is given. */
const LONGEST_AGE = 60_000;

/** The overviews of all applications, counted in the background, so that no reader waits for a cluster. */
export class Overviews {
  readonly #applications: Applications;
  readonly #closed = new AbortController();
  #counted: readonly Overview[] = [];
  #at = -Infinity;

  constructor(applications: Applications) {
    this.#applications = applications;
  }

  /** Those of the last minute; none where counting has failed for longer. */
  get latest(): readonly Overview[] {
    return performance.now() - this.#at < LONGEST_AGE ? this.#counted : [];
  }

  /** Counts until `close`. */
  async run(): Promise<void> {
    const { signal } = this.#closed;
    do {
      try {
        this.#counted = await this.#applications.overview();
        this.#at = performance.now();
      } catch {
        // the cluster's own metrics say why
      }
    } while (!(await pause(INTERVAL, false, { signal }).catch(() => true)));
  }

  close(): void {
    this.#closed.abort();
  }
}
