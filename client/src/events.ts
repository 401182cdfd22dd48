import { streamedEvents } from './event-stream.ts';
import type { Page } from './images.ts';
import type { Answers } from './operations.generated.ts';
import type { Relation } from './result-info.generated.ts';
import { pause, standardPatience } from './retry.ts';
import { wireContent, type Content } from './form.ts';
import { ask, insist, type Connection } from './wire.ts';

export type SavedSearch = Answers['review']['SaveSearch']['saved_search'];
/** A saved search has found an added picture. */
export type Event = Answers['review']['ListEvents']['events'][number];

/** An event as people see it. */
export type ReviewedEvent = Answers['review']['ReviewEvents']['events'][number];
export type EventVerdict = NonNullable<ReviewedEvent['verdict']>['verdict'];

export interface EventOptions {
  /** Of this saved search alone. */
  readonly search?: string;
  readonly decision?: SaveOptions['decision'];
  readonly relation?: ReviewedEvent['relation'];
  /** Unread ones, `open` ones without a verdict, or those with this verdict. */
  readonly state?: 'unread' | 'open' | EventVerdict;
  /** Dates, or times with their zone, ISO 8601; the second one is not included. */
  readonly since?: string;
  readonly until?: string;
  /** Whether each event has the thumbnails of both pictures. */
  readonly pictures?: boolean;
}

/** A reference picture, the application of another key, a file or a DNA. */
export type SavedQuery = { readonly id: string } | { readonly key: string } | Content;

export interface SaveOptions {
  /** The weakest decision that is an event; `Match` unless given. */
  readonly decision?: 'Clone' | 'Match' | 'Similar';
  /** The only relation that is an event, with any decision unless one is given. */
  readonly relation?: Relation;
  /** Per cent. */
  readonly minSimilarity?: number;
  /** Only pictures with all of them are events. */
  readonly keywords?: readonly string[];
  /** Only pictures whose metadata meet all of these, such as `year>=2020`, are events. */
  readonly where?: readonly string[];
  /** Whether the best 200 matches among the pictures of now are events, too; for the pictures of an application all matches, in the background. */
  readonly existing?: boolean;
}

const LARGEST_PAGE = 1000;
/** Milliseconds before a stream that has ended is opened again. */
const RETRY_MS = 1000;

/** The saved searches of an application, and the pictures that they find. */
export class Events {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Saves a search for a reference picture, a file or a DNA, or for every picture of the application of a key, or replaces the one with this id. Once resolved, each added
   * picture that it finds is an event.
   * @returns the number of events of pictures that are there already
   */
  async save(id: string, query: SavedQuery, options: SaveOptions = {}): Promise<number> {
    const { decision, relation, minSimilarity, keywords, where, existing } = options;
    const { nb_events } = await ask(this.#connection, 'review', 'SaveSearch', {
      search_id: id,
      ...('id' in query ? { query_id: query.id } : 'key' in query ? { watched_key: query.key } : wireContent(query)),
      decision,
      relation,
      min_similarity: minSimilarity,
      keywords: keywords?.length ? keywords : undefined,
      where: where?.length ? where : undefined,
      existing: existing ? 1 : undefined,
    });
    return nb_events;
  }

  /** A page of the saved searches, by id. */
  async searches({ start, count = LARGEST_PAGE }: Page = {}): Promise<SavedSearch[]> {
    const values = { starting_index: start, nb_results: count };
    return [...(await ask(this.#connection, 'review', 'ListSavedSearches', values)).saved_searches];
  }

  /** Deletes a saved search; its events remain. */
  async delete(id: string): Promise<void> {
    await ask(this.#connection, 'review', 'DeleteSavedSearch', { search_id: id });
  }

  /** The next events behind one, in the order of the additions. @param after  its id; 0 is before the first */
  async after(after = 0, count = LARGEST_PAGE): Promise<Event[]> {
    return [...(await ask(this.#connection, 'review', 'ListEvents', { after, nb_results: count })).events];
  }

  /** Events with their verdicts, the latest first, fetched page by page during the loop. */
  async *reviewed({ search, pictures, ...options }: EventOptions = {}): AsyncGenerator<ReviewedEvent, void, undefined> {
    for (let before: number | undefined; ;) {
      const page = pictures ? { pictures: 1, nb_results: LARGEST_PAGE / 10 } : { nb_results: LARGEST_PAGE };
      const values = { ...options, search_id: search, before, ...page };
      const { events, next } = await ask(this.#connection, 'review', 'ReviewEvents', values);
      yield* events;
      if (next === undefined) return;
      before = next;
    }
  }

  /** Marks an event as read. @param options.older  all before it, too  @returns the number of unread events */
  async markRead(event: number, { older = false }: { readonly older?: boolean } = {}): Promise<number> {
    const values = { event_id: event, older: older ? 1 : undefined };
    return (await ask(this.#connection, 'review', 'MarkEventsRead', values)).nb_unread;
  }

  /** Judges both pictures of an event. @returns the id of the verdict, which `review.undo` takes back */
  async judge(event: number, verdict: EventVerdict): Promise<string> {
    return (await ask(this.#connection, 'review', 'JudgeEvent', { event_id: event, verdict })).verdict;
  }

  /**
   * All events behind one, and those to come, until the signal of the connection or the loop ends. Once the first page
   * has arrived, lost connections and a busy service are waited for without end.
   */
  async *follow(after = 0): AsyncGenerator<Event, void, undefined> {
    const patience = { ...(this.#connection.patience ?? standardPatience), retries: Infinity };
    const lasting = { ...this.#connection, patience };
    const events = new Events(lasting);
    let last = after;
    for (let page = await this.after(last); ; page = await insist(lasting, () => events.after(last))) {
      yield* page;
      last = page.at(-1)?.id ?? last;
      if (page.length > 0) continue;
      for await (const event of streamedEvents(lasting, last)) {
        last = event.id;
        yield event;
      }
      await pause(RETRY_MS, lasting.signal);
    }
  }
}
