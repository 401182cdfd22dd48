import type { Condition, ShownEvent, ShownSearch } from '@sosia/contract';
import type { StoredEvent } from '../store/store.ts';
import type { Backlog } from './backlog.ts';
import type { StoredSearch } from './stored.ts';

/** An event under the names of the interface. */
export function wireEvent(stored: StoredEvent): ShownEvent {
  const { number, search, image, info, watchedIn, watchedOrigin: watched_origin, ...event } = stored;
  const watched_in = watchedIn && { application: watchedIn.application, image_id: watchedIn.image };
  const shown = { id: number, search_id: search, image_id: image, result_info: info, ...event };
  const watched = { ...(watched_in && { watched_in }), ...(watched_origin && { watched_origin }) };
  return { ...shown, ...watched, repeats: [...event.repeats] };
}

/** A condition as a client writes it. */
function textOf({ path, comparison, value }: Condition): string {
  return comparison === 'present' ? path : path + comparison + JSON.stringify(value);
}

/** A saved search under the names of the interface. @param beside  why an application is not watched, and what is still compared */
export function wireSearch(
  id: string,
  search: StoredSearch,
  thumbnails = false,
  { fault, backlog }: { readonly fault?: string | undefined; readonly backlog?: Backlog | undefined } = {},
): ShownSearch {
  const { decision, relation, minSimilarity, keywords, where, of, application, added, who, thumbnail } = search;
  return {
    id,
    ...(decision !== undefined && { decision }),
    ...(relation !== undefined && { relation }),
    min_similarity: minSimilarity,
    keywords: [...keywords],
    ...(where && { where: where.map(textOf) }),
    ...(of !== undefined && { query_id: of }),
    ...(application && { application: application.name }),
    ...(fault !== undefined && { fault }),
    ...(backlog && { existing: { compared: backlog.compared, nb_events: backlog.events } }),
    added,
    who,
    ...(thumbnails && thumbnail !== undefined && { thumbnail }),
  };
}
