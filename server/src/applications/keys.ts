import { createHash, randomBytes } from 'node:crypto';
import type { StoredKey } from '../store/store.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;

/** A new application key: 32 characters A-Z a-z 0-9, 190 random bits. */
export function newKey(): string {
  const usable = 256 - (256 % LETTERS.length); // higher bytes would favour the first letters
  let key = '';
  while (key.length < LENGTH) {
    const byte = randomBytes(1)[0]!;
    if (byte < usable) key += LETTERS[byte % LETTERS.length];
  }
  return key;
}

/** The stored digest of a key: lower-case hex of its SHA-256. The timing of a lookup by digest reveals nothing. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The first four characters, by which people distinguish keys. */
export function hintOf(key: string): string {
  return key.slice(0, 4);
}

/** A key as it is stored. */
export function storedKey(key: string, rest: Pick<StoredKey, 'name' | 'scopes'> & Partial<StoredKey>): StoredKey {
  return {
    id: randomBytes(4).toString('hex'),
    created: new Date().toISOString(),
    ...rest,
    digest: digestOf(key),
    hint: hintOf(key),
  };
}
