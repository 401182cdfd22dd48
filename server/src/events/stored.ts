import { createHash } from 'node:crypto';
import type { Condition } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { fail } from '../errors.ts';

/** Events that are read at a time to be sent. */
export const PAGE_EVENTS = 64;

/** The kind of the records of saved searches. */
export const SEARCH_KIND = 'search';

/** The kind of the records of lists of hashes. */
export const HASHES_KIND = 'hashes';

/** The kinds of the records of webhooks, and of what their receivers have. */
export const WEBHOOK_KIND = 'webhook';
export const PROGRESS_KIND = 'webhook-progress';

export interface SigningSecret {
  readonly secret: string;
  /** When a replaced one ends. */
  readonly until?: string;
}

export interface StoredWebhook {
  readonly url: string;
  /** The newest first. */
  readonly secrets: readonly SigningSecret[];
  /** ISO 8601, UTC, as the other times. */
  readonly added: string;
  readonly who: string;
}

export interface Progress {
  /** The number of the last event that was received. */
  readonly position: number;
  /** Of the first failed attempt after the last success. */
  readonly failingSince?: string;
  /** Milliseconds since then in which the service ran and the application was enabled. */
  readonly failingMs?: number;
  readonly fault?: string;
  readonly isDead?: boolean;
}

/** The conditions of a saved search, and who saved it. */
export interface SavedSearch {
  /** The weakest decision that is an event; missing for types without decisions. */
  readonly decision?: string;
  /** Per cent. */
  readonly minSimilarity: number;
  /** A picture without one of these is no event. */
  readonly keywords: readonly string[];
  /** Nor is one whose metadata do not meet all of these. */
  readonly where?: readonly Condition[];
  /** The only relation of pictures that is an event. */
  readonly relation?: string;
  /** Where every picture of another application is searched for. */
  readonly application?: WatchedApplication;
  /** ISO 8601, UTC. */
  readonly added: string;
  readonly who: string;
}

/** An application as a saved search or an event names it: its pictures are shown as long as the key is valid. */
export interface WatchedApplication {
  readonly name: string;
  /** Digest of a key of it. */
  readonly key: string;
}

/** A saved search with its picture. */
export interface StoredSearch extends SavedSearch {
  /** Base64; missing where the pictures of an application are searched for. */
  readonly dna?: string;
  /** Base64, a small JPEG. */
  readonly thumbnail?: string;
  /** Where a reference picture is searched for: its id. */
  readonly of?: string;
}

/** The similarity that saved searches of types without decisions have unless said otherwise. */
const DEFAULT_SIMILARITY = 80;

interface GivenConditions {
  readonly decision?: string;
  readonly relation?: string;
  readonly min_similarity?: number;
}

/** The conditions of a search with those that were left out. Fails with DOES_NOT_APPLY. */
export function conditionsOf(
  { definition, traits }: Pick<Application, 'definition' | 'traits'>,
  { decision, relation, min_similarity }: GivenConditions,
): Pick<SavedSearch, 'decision' | 'minSimilarity' | 'relation'> {
  if (definition.terms) {
    const least = decision ?? (relation === undefined ? 'Match' : 'Similar');
    return { decision: least, minSimilarity: min_similarity ?? 0, ...(relation !== undefined && { relation }) };
  }
  if (relation !== undefined) throw fail('DOES_NOT_APPLY', `relations of ${traits.title}`);
  if (decision !== undefined) throw fail('DOES_NOT_APPLY', `decisions of ${traits.title}`);
  return { minSimilarity: min_similarity ?? DEFAULT_SIMILARITY };
}

/** The key of an event, see `NewEvent`. */
export function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** Decisions from the strongest on. */
export const decisions: readonly string[] = ['Clone', 'Match', 'Similar'];
