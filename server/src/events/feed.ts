import { EVENT_KIND, eventId, eventIn } from '../store/event-changes.ts';
import type { EventStore, StoredEvent } from '../store/store.ts';

/** Events that are read at a time to be sent. */
export const PAGE_EVENTS = 64;

/** Events behind a number, in the order of the commits. @param records  see `recordsNumber` */
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
