import { Store } from '../../parts/store.ts';
import { StoredText } from '../../parts/stored-text.ts';

/** A search that can be repeated by its address. */
export interface RecentSearch {
  readonly to: string;
  readonly label: string;
  /** The id of the kept picture, or of the reference picture, that the search started from. */
  readonly picture?: string;
  readonly reference?: string;
  readonly found: number;
  readonly at: number;
}

const MOST = 12;
const stored = new StoredText('sosia-searches');

/** The searches of this browser, by the name of the application; the latest first. */
export const recentSearches = new Store<Readonly<Record<string, readonly RecentSearch[]>>>(
  JSON.parse(stored.text || '{}') as Record<string, RecentSearch[]>,
);

export function noteSearch(application: string, search: RecentSearch): void {
  const before = recentSearches.value[application] ?? [];
  const others = before.filter(({ to }) => to !== search.to);
  keep({ ...recentSearches.value, [application]: [search, ...others].slice(0, MOST) });
}

export function forgetSearches(): void {
  keep({});
}

function keep(all: Readonly<Record<string, readonly RecentSearch[]>>): void {
  recentSearches.set(all);
  stored.text = JSON.stringify(all);
}
