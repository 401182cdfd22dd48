import type { Application } from '../applications/application.ts';
import { put, recordsNumber, remove, valueOf } from '../applications/records.ts';
import type { Position } from '../applications/references.ts';
import { Failure, unless } from '../errors.ts';
import type { EventStore, RecordChange, StoredRecord } from '../store/store.ts';
import { looks } from '../workers/looks.ts';
import { Pause } from '../workers/pause.ts';

/** The kind of the records of what a saved search for the pictures of an application has compared, by its id. */
const BACKLOG_KIND = 'search-backlog';

/** Pictures that are compared before the progress is stored. A kill repeats as many, which makes no second events. */
const BATCH_PICTURES = 16;

/** Events of one backlog, which then ends: more would push out others. */
const MAX_EVENTS = 10_000;

/** Milliseconds before another look where a picture could not be compared. */
const RETRY_MS = 2000;

/** Milliseconds between two looks for what another process has begun, and may have left. */
const LOOK_MS = 5000;

export interface Backlog {
  readonly upTo: Position;
  readonly compared: number;
  readonly events: number;
}

/** Begins the backlog of a saved search, or removes it; for the commit of the search. */
export function backlogChange(id: string, begins: boolean): RecordChange {
  const none: Backlog = { upTo: 0, compared: 0, events: 0 };
  return begins ? put(BACKLOG_KIND, id, none) : remove(BACKLOG_KIND, id);
}

export interface BacklogParts {
  readonly records: EventStore;
  /** Compares a picture with a saved search. @returns the number of events */
  readonly compare: (application: Application, search: string, image: string) => Promise<number>;
  readonly failed: (cause: unknown) => void;
}

/**
 * The pictures that were there before a saved search for those of another application, compared one after the other in the
 * background, some of each backlog at a time.
 */
export class Backlogs {
  readonly #parts: BacklogParts;
  readonly #closed = new AbortController();
  readonly #next = new Pause();
  #loop: Promise<void> = Promise.resolve();
  /** Whether a batch could not be compared at the last look. */
  #waits = false;

  constructor(parts: BacklogParts) {
    this.#parts = parts;
  }

  /** @param applications  those of the moment */
  start(applications: () => readonly Application[]): void {
    const idle = this.#parts.records.shared ? LOOK_MS : undefined;
    const wait = () => this.#next.wait(this.#waits ? RETRY_MS : idle);
    this.#loop = looks(() => this.#look(applications), wait, {
      signal: this.#closed.signal,
      failed: this.#parts.failed,
    });
  }

  /** There may be a new one. */
  notice(): void {
    this.#next.end();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#next.end();
    await this.#loop;
  }

  async of(application: Application, id: string): Promise<Backlog | undefined> {
    const record = await this.#parts.records.record(recordsNumber(application), BACKLOG_KIND, id);
    return record && valueOf(record);
  }

  async #look(applications: () => readonly Application[]): Promise<void> {
    this.#waits = true;
    for (let goesOn = true; goesOn;) {
      goesOn = false;
      let waits = false;
      const all = new Map(applications().map((each) => [recordsNumber(each), each]));
      for (const [number, records] of await this.#parts.records.ofAll([...all.keys()], BACKLOG_KIND)) {
        const application = all.get(number)!;
        for (const record of records) {
          if (this.#closed.signal.aborted) return;
          const work = () => this.#batch(application, record);
          const done = await unless('OVERLOADED', this.#parts.records.exclusively(`backlog-${number}`, work, 0));
          const isDone = done ?? false; // another process compares them
          goesOn ||= isDone;
          waits ||= !isDone;
        }
      }
      this.#waits = waits;
    }
  }

  /** @returns false where the application or one of its pictures cannot be compared now */
  async #batch(application: Application, record: StoredRecord): Promise<boolean> {
    const { references } = application;
    if (references.loading || !application.isServed) return false;
    let { upTo, compared, events } = valueOf<Backlog>(record);
    try {
      const batch = await references.since(upTo, BATCH_PICTURES);
      for (const { id, position } of batch) {
        if (this.#closed.signal.aborted) break;
        events += await this.#parts.compare(application, record.id, id);
        compared++;
        upTo = position;
      }
      const ends = batch.length === 0 || events >= MAX_EVENTS;
      const change = ends ? remove(BACKLOG_KIND, record.id) : put(BACKLOG_KIND, record.id, { upTo, compared, events });
      await this.#parts.records.changeRecords(recordsNumber(application), [{ ...change, expected: record.version }]);
      return true;
    } catch (cause) {
      if (cause instanceof Failure) return false; // the search may be another one now, its application still loading
      throw cause;
    }
  }
}
