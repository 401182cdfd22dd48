import type { Connection } from './database.ts';
import { recordReader, type recordWriter } from './record-table.ts';
import { statementsOf } from './statement.ts';
import type { NewEvent, StoredEvent } from './store.ts';

/** The kind of the records of events. Their ids are numbers of as many digits. */
export const EVENT_KIND = 'event';
const ID_DIGITS = 12;

/** The kind of records that have, by the key of an event, the id of the latest event with this key. */
const KEY_KIND = 'event-key';

/** Events of an application that are kept; then the oldest are removed. */
export const MAX_EVENTS = 100_000;

/** Milliseconds in which the same picture for the same search is counted in the first event. */
export const REPEAT_MS = 24 * 60 * 60 * 1000;

/** Ids of pictures that an event lists besides its own; further ones are counted alone. */
const MAX_LISTED_REPEATS = 20;

interface Body {
  readonly key: string;
  readonly event: Omit<StoredEvent, 'number'>;
}

const utf8 = new TextDecoder();

export function eventId(number: number): string {
  return String(number).padStart(ID_DIGITS, '0');
}

export function eventIn(id: string, body: Uint8Array): StoredEvent {
  return { number: Number(id), ...(JSON.parse(utf8.decode(body)) as Body).event };
}

/**
 * Adds events inside a transaction. Their numbers ascend in the order of the commits. The latest event is never removed,
 * so no number is assigned twice.
 * @param kept  events of an application that are kept
 */
export function eventWriter(database: Connection, records: ReturnType<typeof recordWriter>, kept = MAX_EVENTS) {
  const sql = statementsOf(database);
  const reader = recordReader(database);
  const latest = sql(
    `SELECT CAST(id AS BLOB) AS id FROM records WHERE application = ? AND kind = '${EVENT_KIND}' ORDER BY id DESC LIMIT 1`,
  );
  const prune = sql(
    `DELETE FROM records WHERE application = ? AND kind = '${EVENT_KIND}' AND id <= ? RETURNING CAST(body AS BLOB) AS body`,
  );

  function read<T>(application: number, kind: string, id: string): T | undefined {
    const record = reader.record(application, kind, id);
    return record && (JSON.parse(utf8.decode(record.body)) as T);
  }

  function write(application: number, kind: string, id: string, value: object | null): void {
    const body = value && new TextEncoder().encode(JSON.stringify(value));
    records.change(application, [{ kind, id, body }]);
  }

  function latestNumber(application: number): number {
    const row = latest.get<{ id: Uint8Array }>(application);
    const id = row ? utf8.decode(row.id) : eventId(0);
    if (/^\d{12}$/.test(id)) return Number(id);
    throw Object.assign(new Error('the id of the latest event is damaged'), { code: 'SQLITE_CORRUPT' });
  }

  /** Counts an event in an earlier one of the same picture and search; false where there is none. */
  function repeats(application: number, { key, image, at, existing }: NewEvent): boolean {
    const id = read<{ id: string }>(application, KEY_KIND, key)?.id ?? '';
    const event = read<Body>(application, EVENT_KIND, id)?.event;
    if (!event) return false;
    if (existing && (event.image === image || event.repeats.includes(image))) return true;
    if (Date.parse(at) - Date.parse(event.at) >= REPEAT_MS) return false;
    const listed = event.repeats.length < MAX_LISTED_REPEATS ? [...event.repeats, image] : event.repeats;
    write(application, EVENT_KIND, id, { key, event: { ...event, count: event.count + 1, repeats: listed } });
    return true;
  }

  /** @param upTo  the number of the last one */
  function removeOldest(application: number, upTo: number): void {
    for (const { body } of prune.all<{ body: Uint8Array }>(application, eventId(upTo))) {
      const [, key] = /^\{"key":"([^"\\]*)"/.exec(utf8.decode(body)) ?? [];
      const current = key === undefined ? undefined : read<{ id: string }>(application, KEY_KIND, key)?.id;
      if (current !== undefined && Number(current) <= upTo) write(application, KEY_KIND, key!, null);
    }
  }

  /** @returns the number of events that repeat no other */
  return (application: number, events: readonly NewEvent[]): number => {
    if (events.length === 0) return 0;
    const before = latestNumber(application);
    let last = before;
    for (const event of events) {
      if (repeats(application, event)) continue;
      const { key, existing: _, ...shown } = event;
      const id = eventId(++last);
      write(application, EVENT_KIND, id, { key, event: { ...shown, count: 1, repeats: [] } });
      write(application, KEY_KIND, key, { id });
    }
    if (last > kept) removeOldest(application, last - kept);
    return last - before;
  };
}
