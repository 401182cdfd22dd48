import { put, valueOf } from '../applications/records.ts';
import { base64, bytesIn } from '../parameters/base64.ts';
import {
  EVENT_KIND,
  eventChanges,
  eventId,
  eventIdIn,
  eventKeyIn,
  KEY_KIND,
  latestEvent,
  MAX_EVENTS,
} from '../store/event-records.ts';
import type { EventStore, NewEvent, NewEvents, RecordChange } from '../store/store.ts';
import type { CausedPictures } from './caused-pictures.ts';
import type { Connection } from './connection.ts';
import { ClusterRecords } from './records.ts';

/** Milliseconds in which the process that numbers the events of an application ends, unless it was killed. */
const WAIT_MS = 3000;
/** Pictures whose events get their numbers at a time. */
const BATCH_PICTURES = 32;
/** The oldest events that are removed at a time. */
const BATCH_REMOVED = 200;
/** The kind and the id of the one record of an application that has what is being written. */
const [JOURNAL_KIND, JOURNAL] = ['event-journal', 'latest'];

/** The documents in which events wait: the number of the pictures, and for each key the tokens of the additions. */
interface Waiting {
  readonly pictures: number;
  readonly settled: readonly (readonly [key: string, tokens: readonly string[]])[];
}

interface Journal extends Waiting {
  readonly isDone: boolean;
  /** Bodies in base64. */
  readonly changes: readonly { readonly kind: string; readonly id: string; readonly body: string | null }[];
}

/**
 * Events are written with the document of the picture that causes them, and wait there. One process at a time gives
 * them numbers. It first writes all changes of a step as one record, the journal, so that the next process can end the step.
 */
export class ClusterEvents extends ClusterRecords implements EventStore {
  readonly #running = new Map<number, Promise<boolean>>();
  readonly #next = new Map<number, Promise<boolean>>();
  readonly #picturesOf: (number: number) => CausedPictures | undefined;

  /** @param picturesOf  undefined for an application that is no longer there */
  constructor(connection: Connection, picturesOf: (number: number) => CausedPictures | undefined) {
    super(connection);
    this.#picturesOf = picturesOf;
  }

  addEvents({ application, events }: NewEvents): Promise<number> {
    if (events.length === 0) return Promise.resolve(0);
    return this.#alone(application, async (checkLease) => {
      const version = await this.#ready(application, checkLease);
      return this.#add(application, version, events, { pictures: 0, settled: [] }, checkLease);
    });
  }

  /** Calls that wait share one work. */
  collectEvents(of: { readonly records: number; readonly pictures: number }): Promise<boolean> {
    const begin = (): Promise<boolean> => {
      this.#next.delete(of.records);
      const work = this.#collect(of);
      this.#running.set(of.records, work);
      return work;
    };
    const next = this.#next.get(of.records) ?? (this.#running.get(of.records) ?? Promise.resolve()).then(begin, begin);
    this.#next.set(of.records, next);
    return next;
  }

  async #collect({ records, pictures }: { readonly records: number; readonly pictures: number }): Promise<boolean> {
    const documents = this.#picturesOf(pictures);
    if (!documents || (await documents.waiting(1)).length === 0) return false;
    return this.#alone(records, async (checkLease) => {
      for (;;) {
        // before the documents: where another process has taken their events since, the journal has another version
        const version = await this.#ready(records, checkLease);
        const waiting = await documents.waiting(BATCH_PICTURES);
        if (waiting.length === 0) return true;
        const events = waiting.flatMap(({ caused }) => caused.flatMap((each) => each.events));
        const settled = waiting.map(({ key, caused }) => [key, caused.map(({ token }) => token)] as const);
        await this.#add(records, version, events, { pictures, settled }, checkLease);
      }
    });
  }

  #alone<T>(records: number, work: (checkLease: () => void) => Promise<T>): Promise<T> {
    return this.exclusively(`events-${records}`, work, WAIT_MS);
  }

  /** Ends the step that another process has begun. @returns the version of the journal, 0 for none */
  async #ready(records: number, checkLease: () => void): Promise<number> {
    const read = () => this.record(records, JOURNAL_KIND, JOURNAL);
    const found = await read();
    const journal = found && valueOf<Journal>(found);
    if (!journal || journal.isDone) return found?.version ?? 0;
    await this.#end(records, journal, checkLease);
    return (await read())!.version;
  }

  /** @returns the number of events that repeat no other */
  async #add(
    records: number,
    version: number,
    events: readonly NewEvent[],
    waiting: Waiting,
    checkLease: () => void,
  ): Promise<number> {
    const keys = await this.bodies(records, KEY_KIND, [...new Set(events.map(({ key }) => key))]);
    const known = await this.bodies(records, EVENT_KIND, [...new Set(Array.from(keys.values(), eventIdIn))]);
    const latest = await latestEvent(this, records);
    const read = (kind: string, id: string) => (kind === KEY_KIND ? keys : known).get(id);
    const { changes, last } = eventChanges(latest, read, events);
    const removed = last > MAX_EVENTS ? await this.#oldest(records, last - MAX_EVENTS) : [];
    const journal: Journal = { isDone: false, changes: [...removed, ...changes].map(textOf), ...waiting };
    await this.changeRecords(records, [{ ...put(JOURNAL_KIND, JOURNAL, journal), expected: version }], checkLease);
    await this.#end(records, journal, checkLease);
    return last - latest;
  }

  async #end(records: number, { changes, pictures, settled }: Journal, checkLease: () => void): Promise<void> {
    if (changes.length > 0) await this.changeRecords(records, changes.map(changeOf), checkLease);
    const documents = this.#picturesOf(pictures);
    if (documents) await Promise.all(settled.map((each) => documents.settle(...each)));
    const done: Journal = { isDone: true, changes: [], pictures, settled: [] };
    await this.changeRecords(records, [put(JOURNAL_KIND, JOURNAL, done)], checkLease);
  }

  /** The removal of the oldest events up to a number, and of the keys that name them. */
  async #oldest(records: number, upTo: number): Promise<RecordChange[]> {
    const page = await this.recordsAfter(records, EVENT_KIND, '', BATCH_REMOVED);
    const oldest = page.filter(({ id }) => id <= eventId(upTo));
    const keys = await this.bodies(records, KEY_KIND, [
      ...new Set(oldest.flatMap(({ body }) => eventKeyIn(body) ?? [])),
    ]);
    const unused = [...keys].filter(([, body]) => eventIdIn(body) <= eventId(upTo));
    return [
      ...oldest.map(({ id }) => ({ kind: EVENT_KIND, id, body: null })),
      ...unused.map(([id]) => ({ kind: KEY_KIND, id, body: null })),
    ];
  }
}

function textOf({ kind, id, body }: RecordChange): Journal['changes'][number] {
  return { kind, id, body: body && base64(body) };
}

function changeOf({ kind, id, body }: Journal['changes'][number]): RecordChange {
  return { kind, id, body: body === null ? null : bytesIn(body) };
}
