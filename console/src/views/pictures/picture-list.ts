import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Image } from '../../api/answers.ts';
import { ask, requestFor, type CallError } from '../../api/call.ts';

/** Pictures per request. */
const PAGE = 100;

export type Order = 'ascending' | 'descending' | 'latest';

/** All of these keywords, and all of these conditions on metadata. */
export interface Filter {
  readonly keywords: readonly string[];
  readonly where: readonly string[];
}

/** @param key  of the list that they are of */
const noPages = (key: string) => ({
  key,
  requested: new Set<number>(),
  images: new Map<number, readonly Image[]>(),
  /** Whether a picture that was fetched has a file that may go with it. */
  hasMovableFiles: false,
});

/** All pictures of the filter, by id or the latest first, fetched where they are visible. */
export function usePictures(filter: Filter, version: number, order: Order) {
  const request = requestFor('enginequery', 'ListImages', {
    ...filter,
    nb_results: PAGE,
    ...(order === 'latest' && { order }),
  });
  const key = JSON.stringify([filter, version, order === 'latest']);
  const pages = useRef(noPages(key));
  const [state, setState] = useState<{ count?: number; error?: CallError }>({});
  if (pages.current.key !== key) pages.current = noPages(key);

  const fetchPage = useCallback(
    async (page: number): Promise<void> => {
      const mine = pages.current;
      if (mine.requested.has(page)) return;
      mine.requested.add(page);
      try {
        const values = { ...request.values, starting_index: page * PAGE };
        const { images, nb_results_found } = await ask({ ...request, values });
        mine.images.set(page, images);
        mine.hasMovableFiles ||= images.some(({ origin }) => origin?.writable);
        if (pages.current === mine) setState({ count: nb_results_found });
      } catch (error) {
        mine.requested.delete(page);
        if (pages.current === mine) setState({ error: error as CallError });
      }
    },
    [key],
  );
  useEffect(() => void fetchPage(0), [fetchPage]);

  /** The service lists by rising ids; a falling order counts from the end. */
  const { count } = state;
  const placed = (index: number): number => (order === 'descending' ? (count ?? 0) - 1 - index : index);
  /** Fetches the missing pictures of the range. */
  const see = useCallback(
    (first: number, end: number) => {
      if (first >= end) return;
      const [from, to] = [placed(first), placed(end - 1)].sort((a, b) => a - b) as [number, number];
      for (let page = Math.max(0, Math.floor(from / PAGE)); page * PAGE <= to; page++) void fetchPage(page);
    },
    [fetchPage, order, count],
  );
  /** Undefined while it is pending. */
  const at = (index: number): Image | undefined => {
    const place = placed(index);
    return pages.current.images.get(Math.floor(place / PAGE))?.[place % PAGE];
  };
  const allIds = async (): Promise<string[]> => {
    const ids: string[] = [];
    for (;;) {
      const values = { ...filter, nb_results: 1000, after: ids.at(-1) }; // by id: pages do not move meanwhile
      const { images } = await ask({ ...request, values });
      ids.push(...images.map(({ id }) => id));
      if (images.length < 1000) return ids;
    }
  };
  const { hasMovableFiles } = pages.current;
  return { count, error: state.error, at, see, request, hasMovableFiles, allIds };
}
