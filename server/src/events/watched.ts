import { isDeepStrictEqual } from 'node:util';
import type { Application } from '../applications/application.ts';
import { isOver } from '../applications/applications.ts';
import type { Caller } from '../applications/applications.ts';
import { fail, Failure } from '../errors.ts';

/** The key with this digest; undefined for one that is unknown, or of a disabled application. */
export type FindCaller = (digest: string) => Caller | undefined;

/**
 * The application whose pictures a key shows to a saved search of another one.
 * Fails with UNKNOWN_KEY, KEY_EXPIRED and SCOPE_REFUSED.
 */
export function watchedBy(find: FindCaller, digest: string): Application {
  const { application, key } = find(digest) ?? {};
  if (!application || !key) throw fail('UNKNOWN_KEY', 'watched_key is of no enabled application');
  if (isOver(key)) throw fail('KEY_EXPIRED', `${key.name}, at ${key.expires}`);
  if (key.scopes.includes('search')) return application;
  throw fail('SCOPE_REFUSED', `watched_key needs the scope search, the key ${key.name} has ${key.scopes.join(', ')}`);
}

/** As `watchedBy`; why there is none as a text. */
export function watchedOr(find: FindCaller, digest: string): Application | string {
  try {
    return watchedBy(find, digest);
  } catch (cause) {
    if (cause instanceof Failure) return cause.message;
    throw cause;
  }
}

/** Fails with BAD_PARAMETER and DOES_NOT_APPLY where an application cannot search for the pictures of another one. */
export function requireComparable(application: Application, watched: Application): void {
  if (watched === application) throw fail('BAD_PARAMETER', 'watched_key: expected a key of another application');
  const [kind, other] = [application, watched].map(({ type, record: { network } }) => ({ type, network }));
  if (isDeepStrictEqual(kind, other)) return;
  const how = application.type === watched.type ? ' with another network' : '';
  throw fail('DOES_NOT_APPLY', `pictures of ${watched.traits.title}${how}`);
}
