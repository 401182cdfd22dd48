import type { EventStore, NewEvent, RecordChange, StoredEvent } from './store.ts';

/** The kind of the records of events. Their ids are numbers of as many digits. */
export const EVENT_KIND = 'event';
const ID_DIGITS = 12;

/** The kind of records that have, by the key of an event, the id of the latest event with this key. */
export const KEY_KIND = 'event-key';

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
const valueIn = <T>(body: Uint8Array): T => JSON.parse(utf8.decode(body)) as T;

export function eventId(number: number): string {
  return String(number).padStart(ID_DIGITS, '0');
}

export function eventIn(id: string, body: Uint8Array): StoredEvent {
  return { number: Number(id), ...valueIn<Body>(body).event };
}

/** The key of an event as it is stored; undefined where that is damaged. */
export function eventKeyIn(body: Uint8Array): string | undefined {
  return /^\{"key":"([^"\\]*)"/.exec(utf8.decode(body))?.[1];
}

/** The id of the latest event with a key. */
export function eventIdIn(body: Uint8Array): string {
  return valueIn<{ id: string }>(body).id;
}

/** Events behind a number, in the order of the commits. @param records  the number of the records of the application */
export async function eventsAfter(
  store: Pick<EventStore, 'recordsAfter'>,
  records: number,
  number: number,
  count: number,
): Promise<StoredEvent[]> {
  const found = await store.recordsAfter(records, EVENT_KIND, eventId(number), count);
  return found.map(({ id, body }) => eventIn(id, body));
}

/** The number of the latest event; 0 where there is none. */
export async function latestEvent(store: Pick<EventStore, 'lastRecord'>, records: number): Promise<number> {
  return Number((await store.lastRecord(records, EVENT_KIND))?.id ?? 0);
}

export interface EventChanges {
  /** Each record once. */
  readonly changes: readonly RecordChange[];
  /** The number of the last event. */
  readonly last: number;
}

/**
 * How records change by new events: an event that repeats an earlier one is counted in it, others get the next numbers.
 * @param latest  the number of the latest event
 * @param read    the body of a record; needed of the keys of the events, and of the events that have them
 */
export function eventChanges(
  latest: number,
  read: (kind: string, id: string) => Uint8Array | undefined,
  events: readonly NewEvent[],
): EventChanges {
  const changes = new Map<string, RecordChange & { readonly body: Uint8Array }>();
  const bodyFor = (kind: string, id: string) => changes.get(`${kind} ${id}`)?.body ?? read(kind, id);
  const write = (kind: string, id: string, value: object): void =>
    void changes.set(`${kind} ${id}`, { kind, id, body: new TextEncoder().encode(JSON.stringify(value)) });
  let last = latest;
  for (const { existing, ...added } of events) {
    const { key, image } = added;
    const keyed = bodyFor(KEY_KIND, key);
    const id = keyed && eventIdIn(keyed);
    const known = id === undefined ? undefined : bodyFor(EVENT_KIND, id);
    const event = known && valueIn<Body>(known).event;
    if (event && existing && (event.image === image || event.repeats.includes(image))) continue;
    if (event && Date.parse(added.at) - Date.parse(event.at) < REPEAT_MS) {
      const repeats = event.repeats.length < MAX_LISTED_REPEATS ? [...event.repeats, image] : event.repeats;
      write(EVENT_KIND, id!, { key, event: { ...event, count: event.count + 1, repeats } });
      continue;
    }
    const { key: _, ...shown } = added;
    const next = eventId(++last);
    write(EVENT_KIND, next, { key, event: { ...shown, count: 1, repeats: [] } });
    write(KEY_KIND, key, { id: next });
  }
  return { changes: [...changes.values()], last };
}
