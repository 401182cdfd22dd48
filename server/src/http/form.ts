import { fail } from '../errors.ts';
import type { Given, Place } from '../params/given.ts';
import { strictText } from '../params/text.ts';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/**
 * Reads `name=value&…`, a query string or an urlencoded body, from its bytes. Nothing is repaired: a percent sign
 * without two hexadecimal digits and bytes that are not UTF-8 fail with BAD_TEXT.
 */
export function readForm(bytes: Uint8Array, place: Place, given: Given, maxFields: number): void {
  let fields = 0;
  for (let start = 0; start < bytes.length;) {
    const next = bytes.indexOf(AMPERSAND, start);
    const end = next < 0 ? bytes.length : next;
    if (++fields > maxFields) throw fail('MALFORMED_REQUEST', `expected at most ${maxFields} form fields`);
    readField(bytes.subarray(start, end), place, given);
    start = end + 1;
  }
}

function readField(field: Uint8Array, place: Place, given: Given): void {
  const equals = field.indexOf(EQUALS);
  const nameEnd = equals < 0 ? field.length : equals;
  const name = decode(field.subarray(0, nameEnd), 'the name of a parameter');
  given.addText(name, decode(field.subarray(nameEnd + 1), name), place);
}

function decode(coded: Uint8Array, name: string): string {
  const bytes = new Uint8Array(coded.length);
  let length = 0;
  for (let i = 0; i < coded.length; i++) {
    const byte = coded[i]!;
    if (byte === PERCENT) {
      const value = hexDigit(coded[i + 1]) * 16 + hexDigit(coded[i + 2]);
      if (Number.isNaN(value)) throw fail('BAD_TEXT', `${name} has a '%' without two hexadecimal digits after it`);
      bytes[length++] = value;
      i += 2;
    } else {
      bytes[length++] = byte === PLUS ? SPACE : byte;
    }
  }
  return strictText(bytes.subarray(0, length), name);
}

/** NaN for anything else, the end of the text included. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : NaN;
}
