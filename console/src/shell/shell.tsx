import { useEffect } from 'preact/hooks';
import type { Scope } from '@sosia/contract';
import type { Traits } from '@sosia/engine';
import { signOut } from '../api/call.ts';
import { PageIntake, type Intake } from '../intake/intake.tsx';
import { forgetPictures, keepPicture } from '../intake/kept-pictures.ts';
import { whole } from '../parts/figures.ts';
import { Icon } from '../parts/icon.tsx';
import { go, linkBackTo, linkTo, useRoute } from '../route.ts';
import { useAdministrator, useChosenApplication, useScopes } from '../session.ts';
import { handOver } from '../views/add/queue.ts';
import { settleDeletions } from '../views/pictures/deletions.ts';
import { UndoBar } from '../views/pictures/undo-bar.tsx';
import { forgetSearches } from '../views/search/recent-searches.ts';
import { useUnread } from '../views/events/unread.ts';
import { ApplicationSwitch } from './application-switch.tsx';
import { GoTo, useGoing } from './go-to.tsx';
import { ThemeSwitch } from './theme.tsx';
import { views, type View } from './views.ts';

/** The menu, and the view of the address. */
export function Shell() {
  const application = useChosenApplication();
  const administrator = useAdministrator();
  const route = useRoute();
  const offered = useOfferedViews();
  const view = offered.find((each) => each.name === route.view) ?? offered[0]!;
  useEffect(() => {
    document.title = `${view.title} · ${application?.name ?? 'Administration'} · Sosia`;
    scrollTo(0, 0);
  }, [view.name]);
  const [going, setGoing] = useGoing();
  const leave = async (): Promise<void> => {
    await settleDeletions();
    forgetSearches();
    await forgetPictures();
    await signOut();
  };
  const unread = useUnread(offered.some(({ name }) => name === 'events'));
  const Content = view.show;
  return (
    <PageIntake otherwise={intakeOf(application?.traits, useScopes())}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => (event.preventDefault(), document.getElementById('main')!.focus())}
      >
        To the content
      </a>
      <div class="shell">
        <header class="side">
          <a class="line name" aria-label="Sosia" href={linkTo(offered[0]!.name)}>
            <img src="icon.svg" alt="" width="24" height="24" />
            <span>Sosia</span>
          </a>
          {administrator ? (
            <ApplicationSwitch current={application} />
          ) : (
            <p class="application">
              <strong class="one-line">{application?.name}</strong>
              <small>{application?.traits.title}</small>
            </p>
          )}
          <nav aria-label="Views">
            {offered.map((each) => (
              <ViewLink key={each.name} view={each} shown={each === view} count={each.name === 'events' ? unread : 0} />
            ))}
            <button type="button" class="quiet more-views" onClick={() => setGoing(true)}>
              <Icon name="options" />
              More
            </button>
          </nav>
          <div class="side-end">
            <ThemeSwitch />
            <a class="button quiet docs-link" href="/docs" target="_blank" rel="noreferrer">
              <Icon name="book" />
              <span>Interface</span>
            </a>
            <button type="button" class="quiet" onClick={() => void leave()}>
              <Icon name="leave" />
              <span>Sign out</span>
            </button>
          </div>
        </header>
        <main id="main" tabIndex={-1} class={`view-${view.name}`}>
          <h1>{view.title}</h1>
          <Content key={view.name} route={route} />
        </main>
      </div>
      <UndoBar />
      {going && <GoTo views={offered} onClose={() => setGoing(false)} />}
    </PageIntake>
  );
}

function ViewLink({ view: { name, title }, shown, count }: { view: View; shown: boolean; count: number }) {
  return (
    <a class="line" href={shown ? linkTo(name) : linkBackTo(name)} {...(shown && { 'aria-current': 'page' as const })}>
      <Icon name={name} />
      <span>{title}</span>
      {count > 0 && <span class="number">{whole(count)}</span>}
    </a>
  );
}

/** The views that the key of the session may open. */
function useOfferedViews() {
  const application = useChosenApplication();
  const administrator = useAdministrator();
  const scopes = useScopes();
  return views.filter(({ applies, scope, name }) => {
    if (name === 'administration') return administrator !== null || scopes.includes('administer');
    if (name === 'try') return application ?? administrator;
    return application && applies?.(application) !== false && (!scope || scopes.includes(scope));
  });
}

/** What a drop does in views that do nothing else with it: one picture is searched for, several are added, as the key may. */
function intakeOf(traits: Traits | undefined, scopes: readonly Scope[]): Intake {
  if (!traits) return { hint: 'Open an application first', take: () => {} };
  if (!traits.references) {
    return { hint: 'Drop the picture to classify it', take: ([first]) => show('filter', first!.file) };
  }
  const [searches, adds] = [scopes.includes('search'), scopes.includes('add')];
  if (!searches && !adds) return { hint: 'The key of this session neither searches nor adds', take: () => {} };
  return {
    hint: !adds
      ? 'Drop a picture to search for it'
      : searches
        ? 'Drop one picture to search for it, or several to add them'
        : 'Drop pictures to add them',
    take: (files) => {
      if (!adds || (searches && files.length === 1 && !files[0]!.name.includes('/'))) {
        show('search', files[0]!.file);
        return;
      }
      handOver(files);
      go(linkTo('add'));
    },
  };
}

function show(view: string, file: File): void {
  go(linkTo(view, { picture: keepPicture(file) }));
}
