import { Tabs } from '../../parts/tabs.tsx';
import type { Route } from '../../route.ts';
import { useStore } from '../../parts/store.ts';
import { useScopes } from '../../session.ts';
import { EventList } from './event-list.tsx';
import { SavedSearches } from './saved-searches.tsx';
import { unread } from './unread.ts';
import { Webhooks } from './webhooks.tsx';

/** What saved searches found, the saved searches, and the webhooks. */
export function EventsView({ route: { values } }: { route: Route }) {
  const administers = useScopes().includes('administer');
  const tabs = [
    ['events', 'Found', useStore(unread)],
    ['searches', 'Saved searches'],
    ...(administers ? ([['webhooks', 'Webhooks']] as const) : []),
  ] as const;
  const tab = tabs.find(([each]) => each === values.get('tab'))?.[0] ?? 'events';
  return (
    <div class="stack">
      <Tabs label="Part of the events" view="events" parameter="tab" tabs={tabs} shown={tab} />
      {tab === 'events' && <EventList />}
      {tab === 'searches' && <SavedSearches />}
      {tab === 'webhooks' && <Webhooks />}
    </div>
  );
}
