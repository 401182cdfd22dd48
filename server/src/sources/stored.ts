import type { SourceKindName } from '@sosia/contract';
import type { Outcome, Progress } from './follower.ts';
import type { KindSettings } from './source.ts';

/** The kinds of records beside those of `Entries`. */
export const kinds = { definition: 'source', state: 'source state' } as const;

/** What people set. Changed by any process. */
export interface Definition {
  readonly name: string;
  readonly kind: SourceKindName;
  readonly settings: KindSettings;
  readonly prefix: string;
  readonly keywords: readonly string[];
  /** Seconds between two passes. */
  readonly interval: number;
  readonly paused: boolean;
  /** Whether those who delete pictures may also move or delete their files. */
  readonly writable?: boolean;
  /** The latest pass that somebody started. */
  readonly request: { readonly number: number; readonly retry: boolean };
  /** The number of the question that somebody agreed to. */
  readonly agreed?: number;
  /** What happens to its pictures while the source is being deleted. */
  readonly leaving?: 'keep' | 'remove';
}

/** What the process says that follows the source. */
export interface State {
  /** That of the application whose pictures the entries are of; another one after it was emptied. */
  readonly application: number;
  readonly running: boolean;
  readonly progress: Progress;
  /** Of the pass that runs; null before it can be estimated. */
  readonly secondsLeft: number | null;
  /** When the last pass ended, ISO 8601; null before. */
  readonly ended: string | null;
  /** Why the last pass did not end well, or empty. */
  readonly fault: string;
  readonly question: (NonNullable<Outcome['question']> & { readonly number: number }) | null;
  readonly pictures: number;
  readonly failed: number;
  /** The number of the last request that was met. */
  readonly request: number;
}
