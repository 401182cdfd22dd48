import type { Application } from '../applications/application.ts';
import { textOf } from '../applications/references.ts';
import { fail } from '../errors.ts';
import type { Shards } from '../shards/shards.ts';
import type { RecordStore } from '../store/store.ts';
import { IgnoreLists } from './ignore-lists.ts';
import { MatchCounts } from './match-counts.ts';
import { Review } from './review.ts';
import { kinds, recordsNumber, valueOf } from './stored.ts';
import type { State } from './stored.ts';

/** The reviews of all applications, each opened by its first call, with their ignore lists and counts of matches. */
export class Reviews {
  readonly ignoreLists: IgnoreLists;
  readonly matchCounts: MatchCounts;
  readonly #records: RecordStore | undefined;
  readonly #failed: (cause: unknown) => void;
  readonly #open = new Map<number, Promise<Review>>();

  /**
   * @param parts  undefined: every call fails with NOT_IN_CLUSTERS
   * @param failed  called when a comparison ended with a fault; it continues after the next start
   */
  constructor(
    parts: { readonly records: RecordStore; readonly shards: Shards } | undefined,
    failed: (cause: unknown) => void,
  ) {
    this.#records = parts?.records;
    this.ignoreLists = new IgnoreLists(parts);
    this.matchCounts = new MatchCounts(parts?.records, failed);
    this.#failed = failed;
  }

  /** Fails with LOADING, with NOT_IN_CLUSTERS, and with DOES_NOT_APPLY for a type without references. */
  async of(application: Application): Promise<Review> {
    const records = this.#records;
    if (!records) throw fail('NOT_IN_CLUSTERS', 'a review');
    const { references, traits } = application;
    if (!traits.references) throw fail('DOES_NOT_APPLY', `a review of ${traits.title} applications`);
    if (references.loading) throw fail('LOADING', textOf(references.loading));
    const number = recordsNumber(application);
    let review = this.#open.get(number);
    if (!review) {
      review = Review.open(application, records, this.#failed);
      this.#open.set(number, review);
      review.catch(() => this.#open.delete(number));
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
      const number = recordsNumber(application);
      const [state] = await this.#records.records(number, kinds.state);
      const verdicts = await this.#records.records(number, kinds.verdict);
      const running = state !== undefined && valueOf<State>(state).running;
      const pending = verdicts.some((verdict) => 'pending' in valueOf<object>(verdict));
      if (running || pending) (await this.of(application)).continue();
    }
  }

  /** Frees the memory of a deleted application. */
  async forget(application: Application): Promise<void> {
    const number = recordsNumber(application);
    const review = this.#open.get(number);
    this.#open.delete(number);
    this.matchCounts.forget(number);
    await this.ignoreLists.forget(number);
    await (await review)?.close();
  }

  async close(): Promise<void> {
    for (const review of this.#open.values()) await (await review).close();
    await this.matchCounts.save();
  }
}
