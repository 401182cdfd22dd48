import { randomBytes } from 'node:crypto';
import { scopes } from '@sosia/contract';
import type { ApplicationRecord, StoredKey } from './store.ts';

/** The keys of an application. The one of an earlier version has all scopes. */
export function keysOf({ keys, keyDigest, keyHint }: ApplicationRecord): readonly StoredKey[] {
  return keys ?? [{ id: 'first', name: 'first', digest: keyDigest, hint: keyHint, scopes }];
}

/**
 * The application with these keys. Earlier versions accept the key of `keyDigest` for everything and for ever, so only a
 * key without limits is there.
 */
export function withKeys(application: ApplicationRecord, keys: readonly StoredKey[]): ApplicationRecord {
  const free = keys.find((key) => key.expires === undefined && scopes.every((scope) => key.scopes.includes(scope)));
  return {
    ...application,
    keys,
    keyDigest: free?.digest ?? randomBytes(32).toString('hex'),
    keyHint: free?.hint ?? keys[0]?.hint ?? '',
  };
}
