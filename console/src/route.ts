import { useLayoutEffect, useState } from 'preact/hooks';

/** The current view, in the fragment of the address: `#search?id=harbour.jpg`. */
export interface Route {
  readonly view: string;
  readonly values: URLSearchParams;
}

/** Query parameters by name. An array repeats its parameter once per item; `false` and `undefined` are left out. */
type Values = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Milliseconds until a refinement is written to the address: browsers refuse hundreds of changes in a few seconds. */
const WRITE_AFTER = 300;

/** The last address of each view, so that a look at another view loses nothing. */
const last = new Map<string, string>();
/** The refined address, until it is written. */
let refined: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let onChange = (): void => {};

/** For the shell, which passes it to its view. */
export function useRoute(): Route {
  const [route, set] = useState(current);
  useLayoutEffect(() => {
    onChange = () => set(current());
    const left = (): void => {
      clearTimeout(timer);
      refined = undefined;
      onChange();
    };
    addEventListener('hashchange', left);
    addEventListener('pagehide', write);
    return () => {
      removeEventListener('hashchange', left);
      removeEventListener('pagehide', write);
    };
  }, []);
  return route;
}

export function linkTo(view: string, values: Values = {}): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [value].flat().map((each) => [name, String(each)]),
  );
  const query = new URLSearchParams(given).toString();
  return `#${view}${query && `?${query}`}`;
}

/** The link of a menu: to the view as it was left. */
export function linkBackTo(view: string): string {
  return last.get(view) ?? linkTo(view);
}

/** @param replace  whether the change is a refinement, so that *Back* leads before it */
export function go(to: string, { replace = false } = {}): void {
  if (to === (refined ?? location.hash)) return;
  write();
  if (!replace) {
    location.hash = to;
    return;
  }
  refined = to;
  timer = setTimeout(write, WRITE_AFTER);
  onChange();
}

function write(): void {
  clearTimeout(timer);
  if (refined !== undefined) history.replaceState(null, '', refined);
  refined = undefined;
}

/** For handlers that run after another change of the address. */
export function currentValues(): URLSearchParams {
  return current().values;
}

function current(): Route {
  const hash = refined ?? location.hash;
  const [view = '', query = ''] = hash.slice(1).split('?', 2);
  last.set(view, hash);
  return { view, values: new URLSearchParams(query) };
}
