import { useEffect, useState } from 'preact/hooks';
import type { Traits } from '@sosia/engine';
import type { SessionInfo } from './api/answers.ts';
import { currentSession, signOut, whenSignedOut } from './api/call.ts';
import type { CallError } from './api/call.ts';
import { AddView } from './add/add-view.tsx';
import { PaletteView } from './colours/palette-view.tsx';
import { CompareView } from './compare/compare-view.tsx';
import { FilterView } from './filter/filter-view.tsx';
import { Failed } from './parts/notice.tsx';
import { settleDeletions } from './pictures/deletions.ts';
import { PicturesView } from './pictures/pictures-view.tsx';
import { UndoBar } from './pictures/undo-bar.tsx';
import { linkTo, useRoute } from './route.ts';
import type { Route } from './route.ts';
import { SearchView } from './search/search-view.tsx';
import { SessionContext } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { StatusView } from './status/status-view.tsx';
import { ThemeSwitch } from './theme.tsx';

interface View {
  readonly name: string;
  readonly title: string;
  readonly applies: (traits: Traits) => boolean;
  readonly show: (props: { route: Route }) => preact.ComponentChildren;
}

const views: readonly View[] = [
  { name: 'search', title: 'Search', applies: ({ references }) => references, show: SearchView },
  { name: 'filter', title: 'Classify', applies: ({ profiles }) => profiles, show: FilterView },
  { name: 'pictures', title: 'Pictures', applies: ({ references }) => references, show: PicturesView },
  { name: 'add', title: 'Add', applies: ({ references }) => references, show: AddView },
  { name: 'compare', title: 'Compare', applies: ({ fineComparison }) => fineComparison, show: CompareView },
  { name: 'palette', title: 'Palette', applies: ({ colors }) => colors, show: PaletteView },
  { name: 'status', title: 'Status', applies: () => true, show: StatusView },
];

export function App() {
  const [session, setSession] = useState<SessionInfo | null>();
  const [error, setError] = useState<CallError>();
  useEffect(() => {
    whenSignedOut(() => location.reload()); // nothing of one application may continue in another
    currentSession().then((found) => setSession(found ?? null), setError);
  }, []);

  if (error) return <Failed error={error} />;
  if (session === undefined) return null;
  if (session === null) return <SignIn onSignedIn={setSession} />;
  return (
    <SessionContext.Provider value={session}>
      <Shell session={session} />
    </SessionContext.Provider>
  );
}

function Shell({ session }: { session: SessionInfo }) {
  const { name, traits } = session.application;
  const route = useRoute();
  const offered = views.filter(({ applies }) => applies(traits));
  const view = offered.find((each) => each.name === route.view) ?? offered[0]!;
  useEffect(() => {
    document.title = `${view.title} · ${name} · Sosia`;
    scrollTo(0, 0);
  }, [view.name]);
  const View = view.show;
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => (event.preventDefault(), document.getElementById('main')!.focus())}
      >
        To the content
      </a>
      <header class="top">
        <p class="name">
          <img src="icon.svg" alt="" width="20" height="20" />
          <span class="mark">Sosia</span>
          <span class="application">{name}</span>
          <span class="soft type">{traits.title}</span>
        </p>
        <nav aria-label="Views">
          {offered.map((each) => (
            <a key={each.name} href={linkTo(each.name)} {...(each === view && { 'aria-current': 'page' as const })}>
              {each.title}
            </a>
          ))}
        </nav>
        <div class="top-end">
          <ThemeSwitch />
          <button type="button" class="quiet" onClick={() => void settleDeletions().then(signOut)}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <h1 class="hidden">{view.title}</h1>
        <View key={view.name} route={route} />
      </main>
      <UndoBar />
    </>
  );
}
