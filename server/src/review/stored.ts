import type { ReviewKind, VerdictName } from '@sosia/contract';
import type { Details, RecordChange, StoredRecord } from '../store/store.ts';
import type { Link } from './links.ts';

/** The kinds of records of the review. */
export const kinds = { state: 'review', link: 'link', verdict: 'verdict', removed: 'removed', wrong: 'wrong' } as const;

/** The progress of the comparison; the one record of its kind. */
export interface State {
  /** The highest number of a picture that is compared. */
  readonly upTo: number;
  /** The number of pictures that were compared. */
  readonly compared: number;
  /** Whether the comparison continues after a restart. */
  readonly running: boolean;
}

export interface Verdict {
  readonly verdict: VerdictName;
  readonly kind: ReviewKind;
  /** By id. */
  readonly images: readonly string[];
  readonly kept: string | null;
  readonly at: string;
  readonly who: string;
  /** Until the pictures of `keep` are removed; continued after a restart. */
  readonly pending?: true;
}

export interface StoredLinks {
  readonly to: readonly Link[];
}

/** A removed picture, so that the removal can be undone. */
export interface Removed {
  readonly verdict: string;
  readonly id: string;
  readonly keywords: readonly string[];
  /** Base64. */
  readonly dna: string;
  readonly thumbnail?: string;
  readonly details?: Details;
}

export function bodyOf(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function valueOf<T>({ body }: StoredRecord): T {
  return JSON.parse(new TextDecoder().decode(body)) as T;
}

export function put(kind: string, id: string, value: object): RecordChange {
  return { kind, id, body: bodyOf(value) };
}

export function remove(kind: string, id: string): RecordChange {
  return { kind, id, body: null };
}
