import { fail } from '../errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const control = /\p{Cc}/u;

/**
 * Bytes to text, without repairs: two byte sequences never become the same text. (The usual decoders make every invalid
 * byte U+FFFD, so that %FF and %FE name the same picture.) Fails with BAD_TEXT.
 */
export function strictText(bytes: Uint8Array, name: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw fail('BAD_TEXT', `${name} is not valid UTF-8`);
  }
}

export function hasControlCharacter(text: string): boolean {
  return control.test(text);
}

/** As JSON Schema counts them: one outside of the basic plane is one. */
export function charactersIn(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += text.codePointAt(i)! > 0xffff ? 2 : 1) count++;
  return count;
}

/** The reason why `text` cannot be a name, or null. A name is returned exactly as sent, so nothing is normalised. */
export function nameFault(text: string, forbidden: RegExp): string | null {
  if (/\p{Cs}/u.test(text)) return 'a lone surrogate';
  if (hasControlCharacter(text)) return 'a control character';
  const found = forbidden.exec(text);
  if (found) return `the character ${found[0]}`;
  if (text !== text.normalize('NFC')) return 'text that is not in Unicode normalization form C';
  return null;
}

/** A refused value in a message: unchanged when short, always printable. */
export function shown(text: string): string {
  const start = [...text.slice(0, 80)].slice(0, 60).join('');
  return JSON.stringify(start.length < text.length ? `${start}…` : start);
}
