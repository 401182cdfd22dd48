import type { FileChoice, ReviewKind, VerdictName } from '@sosia/contract';
import { PART_KIND } from '../events/hash-lists.ts';
import { READ_KIND } from '../events/read-events.ts';
import { HASHES_KIND, SEARCH_KIND } from '../events/stored.ts';
import { EVENT_KIND, KEY_KIND } from '../store/event-records.ts';
import type { PictureFile } from '../applications/application.ts';
import type { Position } from '../applications/references.ts';
import type { Details } from '../store/store.ts';
import type { Link } from './links.ts';

/** The kinds of records of the review. */
export const kinds = {
  state: 'review',
  link: 'link',
  verdict: 'verdict',
  removed: 'removed',
  wrong: 'wrong',
  ignored: 'ignored',
  matches: 'matches',
} as const;

/** The kinds that a copy of an application gets: all but the progress, whose position is one of its backend. */
export const copiedKinds: readonly string[] = [
  ...Object.values(kinds).filter((kind) => kind !== kinds.state),
  SEARCH_KIND,
  HASHES_KIND,
  PART_KIND,
  EVENT_KIND,
  KEY_KIND,
  READ_KIND,
];

/** The progress of the comparison; the one record of its kind. */
export interface State {
  /** That of the last picture that was compared. */
  readonly upTo: Position;
  /** The number of pictures that were compared. */
  readonly compared: number;
  /** Whether the comparison continues after a restart. */
  readonly running: boolean;
  /** The process that compares; missing where it has ended. */
  readonly holder?: string;
}

export interface Verdict {
  readonly verdict: VerdictName;
  readonly kind: ReviewKind;
  /** By id. */
  readonly images: readonly string[];
  readonly kept: string | null;
  readonly at: string;
  readonly who: string;
  /** What becomes of the files of the pictures that `keep` removes; missing where they stay. */
  readonly files?: Exclude<FileChoice, 'keep'>;
  /** Until the pictures of `keep` are removed; continued after a restart. */
  readonly pending?: true;
}

export interface StoredLinks {
  readonly to: readonly Link[];
}

/** The query of a false match. */
export interface WrongQuery {
  /** Of a reference, or the name of another query, see `Application.nameOf`. */
  readonly id: string;
  /** Only of a file: base64, a small JPEG or empty. */
  readonly thumbnail?: string;
}

/** A match that was marked as false. */
export interface Wrong {
  /** The reference, then the query. */
  readonly images: readonly [string, string];
  /** Of a query that is no reference. */
  readonly query?: WrongQuery;
}

/** A removed picture, so that the removal can be undone. */
export interface Removed {
  readonly verdict: string;
  readonly id: string;
  readonly keywords: readonly string[];
  /** Base64. */
  readonly dna: string;
  readonly thumbnail?: string | undefined;
  readonly details?: Details | undefined;
  /** Where it is moved to the trash. */
  readonly file?: PictureFile | undefined;
}

/** A picture of the ignore list. */
export interface Ignored {
  /** Base64. */
  readonly dna: string;
  /** Base64, a small JPEG. */
  readonly thumbnail?: string;
  readonly width: number | null;
  readonly height: number | null;
  /** ISO 8601, UTC. */
  readonly added: string;
  readonly who: string;
}
