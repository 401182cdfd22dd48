import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '@sosia/testing/service/service';
import type { Site } from './site.ts';

/** Milliseconds between two verdicts. */
const THINKING = 2000;

const keyOf = (images: readonly string[]): string => [...images].sort().join(' and ');

/** A client that judges groups of pictures through both services alternately, and remembers which verdicts were confirmed. */
export class Judge {
  readonly #site: Site;
  readonly #groups: readonly (readonly string[])[];
  readonly #confirmed: string[] = [];
  #tried = 0;
  #over = false;

  /** @param ids  of pictures that stay */
  constructor(site: Site, ids: readonly string[]) {
    this.#site = site;
    this.#groups = ids.flatMap((a, i) =>
      ids.slice(i + 1).flatMap((b, j) => [[a, b], ...ids.slice(i + j + 2).map((c) => [a, b, c])]),
    );
  }

  /** Until `end`. */
  async work(): Promise<void> {
    for (const images of this.#groups) {
      if (this.#over) return;
      const service = this.#tried++ % 2;
      const judging = async () => this.#site.client(service)!.review.importVerdicts([{ verdict: 'different', images }]);
      const code = await codeOf(judging()).catch(() => -1);
      if (code === 0) this.#confirmed.push(keyOf(images));
      await pause(THINKING);
    }
  }

  end(): void {
    this.#over = true;
  }

  /** How many verdicts were confirmed, and how many of them a service does not list. */
  async result(): Promise<{ judged: number; confirmed: number; lost: number }> {
    let lost = 0;
    for (const service of this.#site.services) {
      const listed = new Set<string>();
      for await (const { images } of this.#site.patientClient(service).review.verdicts()) listed.add(keyOf(images));
      lost = Math.max(lost, this.#confirmed.filter((key) => !listed.has(key)).length);
    }
    return { judged: this.#tried, confirmed: this.#confirmed.length, lost };
  }
}
