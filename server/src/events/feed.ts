import type { ImageStore } from '../store/image-store.ts';
import { EVENT_KIND, eventId, eventIn } from '../store/event-table.ts';
import type { StoredEvent } from '../store/store.ts';
import { fail } from '../errors.ts';

/** Events that are read at a time to be sent. */
export const PAGE_EVENTS = 64;

/** Where saved searches, lists of hashes, events and webhooks are. Fails with NOT_IN_CLUSTERS: a cluster has none of them. */
export function requireFolder<T>(images: T | undefined): T {
  if (images) return images;
  throw fail('NOT_IN_CLUSTERS', 'saved searches, lists of hashes, events and webhooks');
}

/** Events behind a number, in the order of the commits. @param records  see `recordsNumber` */
export async function eventsAfter(
  images: Pick<ImageStore, 'recordsAfter'>,
  records: number,
  number: number,
  count: number,
): Promise<StoredEvent[]> {
  const found = await images.recordsAfter(records, EVENT_KIND, eventId(number), count);
  return found.map(({ id, body }) => eventIn(id, body));
}

/** The number of the latest event; 0 where there is none. */
export async function latestEvent(images: Pick<ImageStore, 'lastRecord'>, records: number): Promise<number> {
  return Number((await images.lastRecord(records, EVENT_KIND))?.id ?? 0);
}
