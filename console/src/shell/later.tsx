import { useEffect, useState } from 'preact/hooks';
import type { Route } from '../route.ts';

export type Show = (props: { route: Route }) => preact.ComponentChildren;

/** A view whose code is fetched when it is shown first, so that the page itself stays small. */
export function later(load: () => Promise<Show>): Show {
  let loaded: Show | undefined;
  return function Later(props) {
    const [View, setView] = useState(() => loaded);
    useEffect(() => {
      if (View) return;
      void load().then((view) => {
        loaded = view;
        setView(() => view);
      });
    }, []);
    return View ? <View {...props} /> : <p class="soft">Loading …</p>;
  };
}
