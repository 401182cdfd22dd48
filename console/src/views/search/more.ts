import { useRef, useState } from 'preact/hooks';
import type { Found, Image } from '../../api/answers.ts';
import { ask, type CallError } from '../../api/call.ts';
import type { SearchRequest } from './search-request.ts';

export interface More {
  /** The first page and those fetched after it. */
  readonly images: readonly Image[];
  /** The number of results, by the last answer. */
  readonly total: number;
  readonly busy: boolean;
  readonly error?: CallError;
  /** Fetches the page after the last one. */
  readonly fetch: () => void;
}

interface Fetched {
  /** The first page of this list: another search begins a new list. */
  readonly behind: Found;
  readonly images: readonly Image[];
  readonly total: number;
  readonly busy: boolean;
  readonly error?: CallError;
}

/** The results of a search page by page. A result that moved up, because others were deleted, is not shown twice. */
export function useMore(found: Found, request: SearchRequest): More {
  const [state, setState] = useState<Fetched>();
  const current = useRef(found);
  current.current = found;
  const known: Fetched =
    state?.behind === found
      ? state
      : { behind: found, images: found.images, total: found.nb_results_found, busy: false };

  const fetch = (): void => {
    if (known.busy) return;
    const { error: _, ...before } = known;
    setState({ ...before, busy: true });
    const set = (to: Partial<Fetched>): void => {
      if (current.current === found) setState({ ...before, ...to });
    };
    const ids = new Set(known.images.map(({ id }) => id));
    ask({ ...request, values: { ...request.values, starting_index: known.images.length } }).then(
      ({ images, nb_results_found }) => {
        const all = [...known.images, ...images.filter(({ id }) => !ids.has(id))];
        set({ images: all, total: images.length === 0 ? all.length : nb_results_found });
      },
      (error: unknown) => set({ error: error as CallError }),
    );
  };
  const { images, total, busy, error } = known;
  return { images, total, busy, fetch, ...(error && { error }) };
}
