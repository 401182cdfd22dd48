import { useLayoutEffect, useState } from 'preact/hooks';

/** The current view, in the fragment of the address: `#search?id=harbour.jpg`. */
export interface Route {
  readonly view: string;
  readonly values: URLSearchParams;
}

export function useRoute(): Route {
  const [route, set] = useState(current);
  useLayoutEffect(() => {
    const listener = (): void => set(current());
    addEventListener('hashchange', listener);
    return () => removeEventListener('hashchange', listener);
  }, []);
  return route;
}

export function linkTo(view: string, values: Record<string, string> | [string, string][] = {}): string {
  const query = new URLSearchParams(values).toString();
  return `#${view}${query && `?${query}`}`;
}

function current(): Route {
  const [view = '', query = ''] = location.hash.slice(1).split('?', 2);
  return { view, values: new URLSearchParams(query) };
}
