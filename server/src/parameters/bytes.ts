import { fail } from '../errors.ts';
import type { Reader } from './reader.ts';
import { shown } from './text.ts';

/** A longer text is no DNA of any kind. */
const maxText = 3 * 1024 * 1024;

/** The bytes of a DNA, copied: the memory of a body can be resized, and V8 reads such memory many times slower, everywhere it has met some. */
export const bytes: Reader<'bytes'> = {
  read(raw, name) {
    const text = raw.text(name);
    const file = raw.file(name);
    if (text !== undefined && file) throw fail('REPEATED_PARAMETER', `${name}, as text and as a part`);
    if (text !== undefined) return base64(text, name);
    if (!file) return undefined;

    if (file.length > maxText) return file;
    // a DNA starts with a byte that is not ASCII, so bytes of this alphabet alone are its text
    const latin1 = Buffer.from(file.buffer, file.byteOffset, file.length).toString('latin1');
    return /^[A-Za-z0-9+/=\s]*$/.test(latin1) ? base64(latin1, name) : new Uint8Array(file);
  },
  expected: (name, { description: rule }) => `${name}, ${rule}`,
};

/** Strict: of all texts that `Buffer.from` would accept for these bytes, only the one returned by GetDnaById. */
function base64(text: string, name: string): Uint8Array {
  // a plus that was not percent-encoded arrives as a space; a text file may end with a line end
  const canonical = withoutLineEnds(text).replaceAll(' ', '+');
  const bytes = Buffer.from(canonical, 'base64');
  if (bytes.length > 0 && bytes.toString('base64') === canonical) return bytes;
  throw fail('BAD_DNA', `${name}: expected canonical base64, got ${shown(text)}`);
}

/** A regular expression would search for the end of the text from each line end in it. */
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return text.slice(0, end);
}
