import type { Application } from '../applications/application.ts';
import { textOf } from '../applications/references.ts';
import { fail } from '../errors.ts';
import type { RecordStore } from '../store/store.ts';
import { Review } from './review.ts';
import { kinds, valueOf } from './stored.ts';
import type { State } from './stored.ts';

/** The reviews of all applications, each opened by its first call. */
export class Reviews {
  readonly #records: RecordStore | undefined;
  readonly #failed: (cause: unknown) => void;
  readonly #open = new Map<number, Promise<Review>>();

  /**
   * @param records  undefined: every call fails with NOT_IN_CLUSTERS
   * @param failed  called when a comparison ended with a fault; it continues after the next start
   */
  constructor(records: RecordStore | undefined, failed: (cause: unknown) => void) {
    this.#records = records;
    this.#failed = failed;
  }

  /** Fails with LOADING, with NOT_IN_CLUSTERS, and with DOES_NOT_APPLY for a type without references. */
  async of(application: Application): Promise<Review> {
    const records = this.#records;
    if (!records) throw fail('NOT_IN_CLUSTERS', 'a review');
    const { references, traits } = application;
    if (!traits.references) throw fail('DOES_NOT_APPLY', `a review of ${traits.title} applications`);
    if (references.loading) throw fail('LOADING', textOf(references.loading));
    const { number, origin = number } = application.record;
    let review = this.#open.get(origin);
    if (!review) {
      review = Review.open(application, records, this.#failed);
      this.#open.set(origin, review);
      review.catch(() => this.#open.delete(origin));
    }
    const found = await review;
    found.application = application;
    return found;
  }

  /** The pictures of an application that were judged not to match this one. */
  async apartFrom(application: Application, id: string): Promise<ReadonlySet<string>> {
    return (await this.of(application)).apartFrom(id);
  }

  /** Continues the comparisons that an earlier process has begun, and completes its removals. */
  async resume(applications: readonly Application[]): Promise<void> {
    if (!this.#records) return;
    for (const application of applications) {
      if (!application.traits.references) continue;
      const { number, origin = number } = application.record;
      const [state] = await this.#records.records(origin, kinds.state);
      const verdicts = await this.#records.records(origin, kinds.verdict);
      const running = state !== undefined && valueOf<State>(state).running;
      const pending = verdicts.some((verdict) => 'pending' in valueOf<object>(verdict));
      if (running || pending) (await this.of(application)).continue();
    }
  }

  async close(): Promise<void> {
    for (const review of this.#open.values()) await (await review).close();
  }
}
