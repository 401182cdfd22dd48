import { useEffect, useState } from 'preact/hooks';
import type { Scope } from '@sosia/contract';
import type { Traits } from '@sosia/engine';
import { signOut, requestFor, useAdministrator, useChosenApplication, useScopes } from '../api/call.ts';
import type { SessionInfo } from '../api/call.ts';
import { PageIntake, type Intake } from '../intake/intake.tsx';
import { forgetPictures, keepPicture } from '../intake/kept-pictures.ts';
import { whole } from '../parts/figures.ts';
import { Icon, type IconName } from '../parts/controls.tsx';
import { go, linkBackTo, linkTo, useRoute } from '../route.ts';
import { handOver } from '../views/add/queue.ts';
import { settleDeletions } from '../views/pictures/deletions.ts';
import { UndoBar } from '../views/pictures/undo-bar.tsx';
import { forgetSearches } from '../views/search/recent-searches.ts';
import { useUnread } from '../views/events/unread.ts';
import { views, type View } from './views.tsx';
import { Select } from '../parts/fields.tsx';
import { StoredText } from '../parts/store.ts';
import { useRequest } from '../parts/answer.tsx';
import { chooseApplication } from './choose-application.ts';
import { Dialog } from '../parts/dialog.tsx';

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

const themes = [
  ['auto', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
const stored = new StoredText('sosia-theme');

/** Dark or light, by the system's setting unless chosen here. */
function ThemeSwitch() {
  const [theme, setTheme] = useState(themes.find(([each]) => each === stored.text)?.[0] ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    stored.text = theme;
  }, [theme]);
  return <Select label="Theme" kind="theme" value={theme} options={themes} onChange={setTheme} />;
}

/** For an administrator: the application whose pictures the views show. */
function ApplicationSwitch({ current }: { current: SessionInfo['application'] | undefined }) {
  const { value } = useRequest(requestFor('administration', 'ListApplications'));
  const applications = value?.applications.filter(({ enabled, number }) => enabled || number === current?.number) ?? [];
  return (
    <label class="application">
      <small>Application</small>
      <select
        aria-label="Application"
        value={current ? String(current.number) : ''}
        onChange={(event) => void chooseApplication(Number(event.currentTarget.value))}
      >
        {!current && <option value="">none is open</option>}
        {current && applications.length === 0 && <option value={String(current.number)}>{current.name}</option>}
        {applications.map(({ number, name, title }) => (
          <option key={number} value={String(number)}>
            {name} · {title}
          </option>
        ))}
      </select>
    </label>
  );
}

interface Target {
  readonly icon: IconName;
  readonly title: string;
  readonly to: string;
}

/** Whether the list is open, which Ctrl+K opens. */
function useGoing() {
  const [going, setGoing] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setGoing(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return [going, setGoing] as const;
}

/** A text leads to a view, or to a search for it. The arrows move, Enter goes. */
function GoTo({ views, onClose }: { views: readonly View[]; onClose: () => void }) {
  const [text, setText] = useState('');
  const searches = useChosenApplication() && views.some(({ name }) => name === 'search');
  const typed = text.trim();
  const found = views.filter(({ title }) => title.toLowerCase().includes(typed.toLowerCase()));
  const targets: Target[] = found.map(({ name, title }) => ({ icon: name, title, to: linkBackTo(name) }));
  if (searches && typed) {
    const keywords = linkTo('search', { by: 'keywords', keywords: typed });
    targets.push({ icon: 'search', title: `Pictures with the keyword ${typed}`, to: keywords });
    targets.push({ icon: 'pictures', title: `Pictures like ${typed}`, to: linkTo('search', { id: typed }) });
  }
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('input, a')];
    all[all.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form
        class="stack go-to"
        onKeyDown={move}
        onSubmit={(event) => {
          event.preventDefault();
          if (targets[0]) go(targets[0].to);
          onClose();
        }}
      >
        <input
          type="text"
          aria-label="A view, a keyword or an id"
          placeholder="A view, a keyword or an id"
          autocomplete="off"
          autofocus
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <nav aria-label="Targets">
          {targets.map(({ icon, title, to }) => (
            <a key={to} class="line" href={to} onClick={onClose}>
              <Icon name={icon} />
              {title}
            </a>
          ))}
        </nav>
      </form>
    </Dialog>
  );
}
