import type { EventState, EventVerdict, Relation, ReviewedEvent } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { KeyedMutex } from '../applications/keyed-mutex.ts';
import { put, recordsNumber, valueOf } from '../applications/records.ts';
import { fail } from '../errors.ts';
import type { Events } from '../events/events.ts';
import { isRead, NONE_READ, READ_KIND, unreadOf, withRead, type ReadEvents } from '../events/read-events.ts';
import { wireEvent } from '../events/wire.ts';
import { eventsAfter } from '../store/event-records.ts';
import type { EventStore, StoredEvent } from '../store/store.ts';
import type { Review } from './review.ts';

/** Events that are read at a time, and for one page at most. */
const [PAGE_EVENTS, MAX_EXAMINED] = [256, 10_000];

/** The id of the one record of its kind. */
const READ = 'read';

export interface EventFilter {
  readonly search_id?: string;
  readonly decision?: string;
  readonly relation?: string;
  /** ISO 8601, UTC. */
  readonly since?: string;
  readonly until?: string;
  readonly state?: EventState;
}

interface Parts {
  readonly records: EventStore;
  readonly events: Pick<Events, 'latest'>;
}

/** Events as people read and judge them. Their verdicts are those of the review. */
export class EventReview {
  readonly #parts: Parts;
  readonly #reviewOf: (application: Application) => Promise<Review>;
  readonly #changes = new KeyedMutex();

  constructor(parts: Parts, reviewOf: (application: Application) => Promise<Review>) {
    this.#parts = parts;
    this.#reviewOf = reviewOf;
  }

  /**
   * The latest first.
   * @param before  the number of the event behind the page; undefined for the latest page
   * @returns `next` where there may be more, also behind an empty page
   */
  async list(
    application: Application,
    filter: EventFilter,
    { before = Infinity, count }: { readonly before?: number | undefined; readonly count: number },
  ): Promise<{ nb_unread: number; events: ReviewedEvent[]; next?: number }> {
    const records = recordsNumber(application);
    const [latest, read] = [await this.#parts.events.latest(application), await this.#read(records)];
    const nb_unread = unreadOf(read, latest);
    if (count === 0) return { nb_unread, events: [] };
    const review = await this.#reviewOf(application);
    const events: ReviewedEvent[] = [];
    const first = filter.state === 'unread' ? read.upTo : 0;
    let end = Math.min(before, latest + 1);
    for (const least = end - MAX_EXAMINED; end > Math.max(first + 1, least);) {
      const from = Math.max(first, end - 1 - PAGE_EVENTS);
      const page = await eventsAfter(this.#parts.records, records, from, end - 1 - from);
      const older = page.filter(({ number }) => number < end); // else the oldest were removed
      end = older.length > 0 ? from + 1 : 0;
      for (const event of older.reverse()) {
        const shown = shownEvent(event, read, review);
        if (!passes(shown, filter)) continue;
        if (events.length === count) return { nb_unread, events, next: event.number + 1 };
        events.push(shown);
      }
    }
    return { nb_unread, events, ...(end > first + 1 && { next: end }) };
  }

  /** @param older  whether all events before it are read, too  @returns the number of unread events */
  markRead(application: Application, number: number, older: boolean): Promise<number> {
    const records = recordsNumber(application);
    return this.#changes.run(String(records), async () => {
      const latest = await this.#parts.events.latest(application);
      const before = await this.#read(records);
      const read = withRead(before, Math.min(number, latest), older);
      await this.#parts.records.changeRecords(records, [put(READ_KIND, READ, read)]);
      return unreadOf(read, latest);
    });
  }

  /** Fails with UNKNOWN_EVENT. @returns the id of the verdict */
  async judge(application: Application, number: number, verdict: EventVerdict, who: string): Promise<string> {
    const [event] = await eventsAfter(this.#parts.records, recordsNumber(application), number - 1, 1);
    if (event?.number !== number) throw fail('UNKNOWN_EVENT', String(number));
    const kind = event.decision === 'Similar' ? 'similar' : 'duplicates';
    const id = await (await this.#reviewOf(application)).judgePair([event.watched, event.image], kind, verdict, who);
    await this.markRead(application, number, false);
    return id;
  }

  async #read(records: number): Promise<ReadEvents> {
    const record = await this.#parts.records.record(records, READ_KIND, READ);
    return record ? valueOf<ReadEvents>(record) : NONE_READ;
  }
}

function shownEvent(event: StoredEvent, read: ReadEvents, review: Review): ReviewedEvent {
  const verdict = review.verdictOn([event.watched, event.image]);
  const relation = relationIn(event.info);
  return {
    ...wireEvent(event),
    ...(relation && { relation }),
    unread: !isRead(read, event.number),
    ...(verdict && { verdict }),
  };
}

function relationIn(info: string): Relation | undefined {
  return info === '' ? undefined : (JSON.parse(info) as { readonly relation?: Relation }).relation;
}

function passes(event: ReviewedEvent, filter: EventFilter): boolean {
  const { search_id, decision, relation, since = '', until, state } = filter;
  const isInState = { unread: event.unread, open: !event.verdict }[state as 'unread' | 'open'] as boolean | undefined;
  return (
    event.at >= since &&
    (until === undefined || event.at < until) &&
    (search_id === undefined || event.search_id === search_id) &&
    (decision === undefined || event.decision === decision) &&
    (relation === undefined || event.relation === relation) &&
    (state === undefined || (isInState ?? event.verdict?.verdict === state))
  );
}
