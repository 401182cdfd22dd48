import { setTimeout as pause } from 'node:timers/promises';
import type { Application } from '../applications/application.ts';
import { textOf } from '../applications/references.ts';
import { recordsNumber, valueOf } from '../applications/records.ts';
import { fail } from '../errors.ts';
import { Events } from '../events/events.ts';
import type { Parts as EventParts } from '../events/saved-searches.ts';
import { Webhooks, type WebhookParts } from '../events/webhooks.ts';
import type { EventStore, SharedRecords } from '../store/store.ts';
import { EventReview } from './event-review.ts';
import type { Parts as IgnoreParts } from './ignore-list.ts';
import { IgnoreLists } from './ignore-lists.ts';
import { MatchCounts } from './match-counts.ts';
import { Review } from './review.ts';
import { kinds, type State } from './stored.ts';
import { looks } from '../workers/looks.ts';

/** Milliseconds between two looks for comparisons whose process has ended. */
const POLL_MS = 5000;
/** Milliseconds without progress after which a comparison has ended. */
const ABANDONED_MS = 20_000;

export interface ReviewsParts extends EventParts, IgnoreParts, Pick<WebhookParts, 'fetcher' | 'metrics' | 'isEnabled'> {
  readonly records: EventStore;
  /** The application with these records, if it is there. */
  readonly applicationOf: (records: number) => Application | undefined;
}

/** The reviews of all applications, each opened by its first call, with their ignore lists, counts of matches and events. */
export class Reviews {
  readonly ignoreLists: IgnoreLists;
  readonly matchCounts: MatchCounts;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly eventReview: EventReview;
  readonly #records: SharedRecords;
  readonly #failed: (cause: unknown) => void;
  readonly #open = new Map<number, Promise<Review>>();
  readonly #closed = new AbortController();

  /** @param failed  called when a comparison ended with a fault; it continues after the next start */
  constructor(parts: ReviewsParts, failed: (cause: unknown) => void) {
    this.#records = parts.records;
    this.ignoreLists = new IgnoreLists(parts);
    this.events = new Events(parts, (application) => this.webhooks.notice(application), failed);
    const of = parts.applicationOf;
    this.webhooks = new Webhooks({
      ...parts,
      failed,
      after: async (records, ...page) => {
        const application = of(records);
        return application ? this.events.after(application, ...page) : [];
      },
      latest: async (records) => {
        const application = of(records);
        return application ? this.events.latest(application) : 0;
      },
    });
    const { events } = this;
    this.eventReview = new EventReview({ records: parts.records, events }, (application) => this.of(application));
    this.matchCounts = new MatchCounts(parts.records, failed);
    this.#failed = failed;
  }

  /** As now stored. Fails with LOADING, and with DOES_NOT_APPLY for a type without references. */
  async of(application: Application): Promise<Review> {
    const { references, traits } = application;
    if (!traits.references) throw fail('DOES_NOT_APPLY', `a review of ${traits.title} applications`);
    if (references.loading) throw fail('LOADING', textOf(references.loading));
    const number = recordsNumber(application);
    let review = this.#open.get(number);
    if (!review) {
      review = Review.open(application, this.#records, this.#failed);
      this.#open.set(number, review);
      review.catch(() => this.#open.delete(number));
    }
    const found = await review;
    found.application = application;
    await found.refresh();
    return found;
  }

  /** The pictures of an application that were judged not to match this one. */
  async apartFrom(application: Application, id: string): Promise<ReadonlySet<string>> {
    return (await this.of(application)).apartFrom(id);
  }

  /**
   * Continues the comparisons that an earlier process has begun, and completes its removals. Where other processes may
   * work, looks for comparisons that they have left until the end of the service.
   * @param applications  those of the moment
   */
  async resume(applications: () => readonly Application[]): Promise<void> {
    this.events.resume(applications);
    const all = reviewed(applications());
    const verdicts = await this.#records.ofAll([...all.keys()], kinds.verdict);
    for (const [number, records] of verdicts) {
      if (records.some((record) => 'pending' in valueOf<object>(record)))
        await (await this.of(all.get(number)!)).settle();
    }
    if (this.#records.shared) void this.#watch(applications);
    else await this.#continueAll(all, () => true);
  }

  /** Frees the memory of a deleted application. */
  async forget(application: Application): Promise<void> {
    const number = recordsNumber(application);
    const review = this.#open.get(number);
    this.#open.delete(number);
    this.matchCounts.forget(number);
    await this.webhooks.forget(number);
    await this.events.forget(application);
    await this.ignoreLists.forget(number);
    await (await review)?.comparison.close();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.events.close();
    await this.webhooks.close();
    for (const review of this.#open.values()) await (await review).comparison.close();
    await this.matchCounts.save();
  }

  /** Only durations are measured, so the clocks of the processes may differ. */
  async #watch(applications: () => readonly Application[]): Promise<void> {
    const { signal } = this.#closed;
    let seen = new Map<number, { readonly version: number; readonly at: number }>();
    const look = async (): Promise<void> => {
      const now: typeof seen = new Map();
      await this.#continueAll(reviewed(applications()), (number, version, { holder }) => {
        const known = seen.get(number);
        const here = known?.version === version ? known : { version, at: performance.now() };
        now.set(number, here);
        return holder === undefined || performance.now() - here.at > ABANDONED_MS;
      });
      seen = now;
    };
    const wait = () => pause(POLL_MS, undefined, { signal }).catch(() => {});
    await looks(look, wait, { signal, failed: this.#failed });
  }

  async #continueAll(
    all: ReadonlyMap<number, Application>,
    isLeft: (number: number, version: number, state: State) => boolean,
  ): Promise<void> {
    for (const [number, [record]] of await this.#records.ofAll([...all.keys()], kinds.state)) {
      const state = valueOf<State>(record!);
      if (!state.running || !isLeft(number, record!.version, state)) continue;
      await (await this.of(all.get(number)!)).comparison.takeOver(state.holder);
    }
  }
}

/** Those that may have a review which goes on, by the number of their records. */
function reviewed(applications: readonly Application[]): Map<number, Application> {
  const all = applications.filter(({ traits, takesChanges }) => traits.references && takesChanges);
  return new Map(all.map((application) => [recordsNumber(application), application]));
}
