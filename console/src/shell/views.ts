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
  readonly name: string;
  readonly title: string;
  /** One sentence below the title. */
  readonly about: string;
  readonly icon: IconName;
  readonly applies: (traits: Traits) => boolean;
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
    icon: 'home',
    applies: () => true,
    show: HomeView,
  },
  {
    name: 'search',
    title: 'Search',
    about: 'Find the pictures that show the same thing, or look alike.',
    icon: 'search',
    scope: 'search',
    applies: ({ references }) => references,
    show: SearchView,
  },
  {
    name: 'filter',
    title: 'Classify',
    about: 'See which profiles fit a picture.',
    icon: 'tag',
    applies: ({ profiles }) => profiles,
    show: ClassifyView,
  },
  {
    name: 'pictures',
    title: 'Pictures',
    about: 'Browse, select, tag and delete the pictures of the application.',
    icon: 'picture',
    applies: ({ references }) => references,
    show: PicturesView,
  },
  {
    name: 'add',
    title: 'Add',
    about: 'Add pictures and folders, and see the outcome of each file.',
    icon: 'plus',
    scope: 'add',
    applies: ({ references }) => references,
    show: AddView,
  },
  {
    name: 'review',
    title: 'Review',
    about: 'Decide which of several copies to keep, and what is never a match.',
    icon: 'review',
    scope: 'search',
    applies: ({ references }) => references,
    show: later(async () => (await import('../views/review/review-view.tsx')).ReviewView),
  },
  {
    name: 'compare',
    title: 'Compare',
    about: 'Find what differs between two versions of a picture.',
    icon: 'compare',
    applies: ({ fineComparison }) => fineComparison,
    show: later(async () => (await import('../views/compare/compare-view.tsx')).CompareView),
  },
  {
    name: 'palette',
    title: 'Palette',
    about: 'The most frequent colours, each with its number of pictures.',
    icon: 'palette',
    applies: ({ colors }) => colors,
    show: PaletteView,
  },
  {
    name: 'status',
    title: 'Status',
    about: 'Memory, version, failures and refused requests.',
    icon: 'status',
    applies: () => true,
    show: StatusView,
  },
  {
    name: 'administration',
    title: 'Administration',
    about: 'Applications, their keys, and who changed what.',
    icon: 'admin',
    applies: () => true,
    show: later(async () => (await import('../views/administration/administration-view.tsx')).AdministrationView),
  },
  {
    name: 'try',
    title: 'Try it',
    about: 'A form for each operation of the interface, sent with the key of this session.',
    icon: 'try',
    applies: () => true,
    show: later(async () => (await import('../views/try/try-view.tsx')).TryView),
  },
];
