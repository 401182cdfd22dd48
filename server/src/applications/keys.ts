import { createHash, randomBytes } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;

/** A new application key: 32 characters A-Z a-z 0-9, 190 bits of chance. */
export function newKey(): string {
  const usable = 256 - (256 % LETTERS.length); // bytes above would favour the first letters
  let key = '';
  while (key.length < LENGTH) {
    const byte = randomBytes(1)[0]!;
    if (byte < usable) key += LETTERS[byte % LETTERS.length];
  }
  return key;
}

/** What is kept of a key: lower-case hex of its SHA-256. Looking a digest up tells nothing by its timing. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The first four characters, for people to tell keys apart. */
export function hintOf(key: string): string {
  return key.slice(0, 4);
}
