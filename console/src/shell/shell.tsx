import { useEffect } from 'preact/hooks';
import type { SessionInfo } from '../api/answers.ts';
import { signOut } from '../api/call.ts';
import { PageIntake } from '../intake/intake.tsx';
import type { Intake } from '../intake/intake.tsx';
import { forgetPictures, keepPicture } from '../intake/kept-pictures.ts';
import { Icon } from '../parts/icon.tsx';
import { go, linkBackTo, linkTo, useRoute } from '../route.ts';
import { handOver } from '../views/add/queue.ts';
import { settleDeletions } from '../views/pictures/deletions.ts';
import { UndoBar } from '../views/pictures/undo-bar.tsx';
import { forgetSearches } from '../views/search/recent-searches.ts';
import { ThemeSwitch } from './theme.tsx';
import { views } from './views.ts';

/** The menu, and the view of the address. */
export function Shell({ session }: { session: SessionInfo }) {
  const { name, traits } = session.application;
  const route = useRoute();
  const offered = views.filter(({ applies }) => applies(traits));
  const view = offered.find((each) => each.name === route.view) ?? offered[0]!;
  useEffect(() => {
    document.title = `${view.title} · ${name} · Sosia`;
    scrollTo(0, 0);
  }, [view.name]);
  const leave = async (): Promise<void> => {
    await settleDeletions();
    forgetSearches();
    await forgetPictures();
    await signOut();
  };
  const View = view.show;
  return (
    <PageIntake otherwise={intakeOf(traits.references)}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => (event.preventDefault(), document.getElementById('main')!.focus())}
      >
        To the content
      </a>
      <div class="shell">
        <header class="side">
          <a class="name" href={linkTo('home')}>
            <img src="icon.svg" alt="" width="24" height="24" />
            <span class="mark">Sosia</span>
          </a>
          <p class="application">
            <span class="application-name">{name}</span>
            <span class="application-type">{traits.title}</span>
          </p>
          <nav aria-label="Views">
            {offered.map((each) => (
              <a
                key={each.name}
                href={each === view ? linkTo(each.name) : linkBackTo(each.name)}
                {...(each === view && { 'aria-current': 'page' as const })}
              >
                <Icon name={each.icon} />
                <span>{each.title}</span>
              </a>
            ))}
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
          <header class="view-head">
            <h1>{view.title}</h1>
            <p>{view.about}</p>
          </header>
          <View key={view.name} route={route} />
        </main>
      </div>
      <UndoBar />
    </PageIntake>
  );
}

/** What a drop does in views that do nothing else with it: one picture is searched for, several are added. */
function intakeOf(references: boolean): Intake {
  if (!references) {
    return { hint: 'Drop the picture to classify it', take: ([first]) => void show('filter', first!.file) };
  }
  return {
    hint: 'Drop one picture to search for it, or several to add them',
    take: (files) => {
      if (files.length === 1 && !files[0]!.name.includes('/')) {
        void show('search', files[0]!.file);
        return;
      }
      handOver(files);
      go(linkTo('add'));
    },
  };
}

async function show(view: string, file: File): Promise<void> {
  go(linkTo(view, { picture: await keepPicture(file) }));
}
