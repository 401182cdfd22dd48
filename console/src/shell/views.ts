import type { Scope } from '@sosia/contract';
import type { SessionInfo } from '../api/answers.ts';
import { later, type Show } from './later.tsx';
import type { IconName } from '../parts/icon.tsx';
import { AddView } from '../views/add/add-view.tsx';
import { ClassifyView } from '../views/classify/classify-view.tsx';
import { HomeView } from '../views/home/home-view.tsx';
import { PaletteView } from '../views/palette/palette-view.tsx';
import { PicturesView } from '../views/pictures/pictures-view.tsx';
import { SearchView } from '../views/search/search-view.tsx';
import { StatusView } from '../views/status/status-view.tsx';

export interface View {
  /** In the address, and of its icon. */
  readonly name: IconName;
  readonly title: string;
  /** To which applications; absent for all. */
  readonly applies?: (application: SessionInfo['application']) => boolean;
  /** What the key of the session must be allowed to do. */
  readonly scope?: Scope;
  readonly show: Show;
}

const AdministrationView = later(
  async () => (await import('../views/administration/administration-view.tsx')).AdministrationView,
);
const CompareView = later(async () => (await import('../views/compare/compare-view.tsx')).CompareView);
const EventsView = later(async () => (await import('../views/events/events-view.tsx')).EventsView);
const ReviewView = later(async () => (await import('../views/review/review-view.tsx')).ReviewView);
const TryView = later(async () => (await import('../views/try/try-view.tsx')).TryView);

/** The views of an application, in the order of the menu. */
export const views: readonly View[] = [
  { name: 'home', title: 'Home', show: HomeView },
  { name: 'search', title: 'Search', scope: 'search', applies: ({ traits }) => traits.references, show: SearchView },
  { name: 'filter', title: 'Classify', applies: ({ traits }) => traits.profiles, show: ClassifyView },
  { name: 'pictures', title: 'Pictures', applies: ({ traits }) => traits.references, show: PicturesView },
  { name: 'add', title: 'Add', scope: 'add', applies: ({ traits }) => traits.references, show: AddView },
  { name: 'review', title: 'Review', scope: 'search', applies: ({ traits }) => traits.references, show: ReviewView },
  { name: 'events', title: 'Events', scope: 'search', applies: ({ events }) => events, show: EventsView },
  { name: 'compare', title: 'Compare', applies: ({ traits }) => traits.fineComparison, show: CompareView },
  { name: 'palette', title: 'Palette', applies: ({ traits }) => traits.colors, show: PaletteView },
  { name: 'status', title: 'Status', show: StatusView },
  { name: 'administration', title: 'Administration', show: AdministrationView },
  { name: 'try', title: 'Try it', show: TryView },
];
