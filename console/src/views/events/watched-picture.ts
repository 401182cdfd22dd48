import { thumbnailOf } from '../../api/call.ts';
import type { Event } from './event-list.tsx';

/** Whether a reference of the application was searched for by its id, not a picture that was sent. */
export function isReference({ watched }: Event): boolean {
  return !/^(dna|pdq):/.test(watched);
}

/** The address of the picture that was searched for; undefined for a list of hashes, which has no pictures. */
export function watchedPicture(event: Event): string | undefined {
  if (event.hash) return undefined;
  if (isReference(event)) return thumbnailOf(event.watched);
  return event.watched_in ? thumbnailOf(event.id, 'event_id') : thumbnailOf(event.search_id, 'search_id');
}
