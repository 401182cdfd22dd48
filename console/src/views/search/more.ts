import { useState } from 'preact/hooks';
import type { Found } from '../../api/answers.ts';
import { ask } from '../../api/call.ts';
import { useAction } from '../../parts/answer.ts';
import type { SearchRequest } from './search-request.ts';

/** The results of a search page by page. A result that moved up, because others were deleted, is not shown twice. */
export function useMore({ images: first, nb_results_found }: Found, request: SearchRequest) {
  const [{ images, total }, set] = useState({ images: first, total: nb_results_found });
  const { busy, error, run } = useAction();
  /** Fetches the page after the last one. */
  const fetch = async (): Promise<void> => {
    const ids = new Set(images.map(({ id }) => id));
    const next = await ask({ ...request, values: { ...request.values, starting_index: images.length } });
    const all = [...images, ...next.images.filter(({ id }) => !ids.has(id))];
    set({ images: all, total: next.images.length === 0 ? all.length : next.nb_results_found });
  };
  return { images, total, busy, error, fetch: () => void run(fetch) };
}
