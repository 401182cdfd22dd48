import type { ShownEvent, ShownSearch } from '@sosia/contract';
import type { StoredEvent } from '../store/store.ts';
import type { StoredSearch } from './stored.ts';

/** An event under the names of the interface. */
export function wireEvent({ number, search, image, info, ...event }: StoredEvent): ShownEvent {
  return { id: number, search_id: search, image_id: image, result_info: info, ...event, repeats: [...event.repeats] };
}

/** A saved search under the names of the interface. */
export function wireSearch(id: string, search: StoredSearch, thumbnails = false): ShownSearch {
  const { decision, minSimilarity, keywords, of, added, who, thumbnail } = search;
  return {
    id,
    ...(decision !== undefined && { decision }),
    min_similarity: minSimilarity,
    keywords: [...keywords],
    ...(of !== undefined && { query_id: of }),
    added,
    who,
    ...(thumbnails && thumbnail !== undefined && { thumbnail }),
  };
}
