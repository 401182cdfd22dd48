import type { Scope } from '@sosia/contract';
import type { Traits } from '@sosia/engine';
import { later } from './later.tsx';
import type { Show } from './later.tsx';
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
  /** One sentence below the title. */
  readonly about: string;
  /** To which types; absent for all. */
  readonly applies?: (traits: Traits) => boolean;
  /** What the key of the session must be allowed to do. */
  readonly scope?: Scope;
  readonly show: Show;
}

/** The views of an application, in the order of the menu. */
export const views: readonly View[] = [
  {
    name: 'home',
    title: 'Home',
    about: 'The application at a glance.',
    show: HomeView,
  },
  {
    name: 'search',
    title: 'Search',
    about: 'Find the pictures that show the same thing, or look alike.',
    scope: 'search',
    applies: ({ references }) => references,
    show: SearchView,
  },
  {
    name: 'filter',
    title: 'Classify',
    about: 'See which profiles fit a picture.',
    applies: ({ profiles }) => profiles,
    show: ClassifyView,
  },
  {
    name: 'pictures',
    title: 'Pictures',
    about: 'Browse, select, tag and delete the pictures of the application.',
    applies: ({ references }) => references,
    show: PicturesView,
  },
  {
    name: 'add',
    title: 'Add',
    about: 'Add pictures and folders, and see the outcome of each file.',
    scope: 'add',
    applies: ({ references }) => references,
    show: AddView,
  },
  {
    name: 'review',
    title: 'Review',
    about: 'Decide which of several copies to keep, and what is never a match.',
    scope: 'search',
    applies: ({ references }) => references,
    show: later(async () => (await import('../views/review/review-view.tsx')).ReviewView),
  },
  {
    name: 'compare',
    title: 'Compare',
    about: 'Find what differs between two versions of a picture.',
    applies: ({ fineComparison }) => fineComparison,
    show: later(async () => (await import('../views/compare/compare-view.tsx')).CompareView),
  },
  {
    name: 'palette',
    title: 'Palette',
    about: 'The most frequent colours, each with its number of pictures.',
    applies: ({ colors }) => colors,
    show: PaletteView,
  },
  {
    name: 'status',
    title: 'Status',
    about: 'Memory, version, failures and refused requests.',
    show: StatusView,
  },
  {
    name: 'administration',
    title: 'Administration',
    about: 'Applications, their keys, and who changed what.',
    show: later(async () => (await import('../views/administration/administration-view.tsx')).AdministrationView),
  },
  {
    name: 'try',
    title: 'Try it',
    about: 'A form for each operation of the interface, sent with the key of this session.',
    show: later(async () => (await import('../views/try/try-view.tsx')).TryView),
  },
];
