import { fail } from '../errors.ts';
import type { RawParameters, ParameterSource } from '../parameters/raw-parameters.ts';
import { strictText } from '../parameters/text.ts';
import type { TextAllowance } from './text-allowance.ts';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** Bytes of a percent-encoded byte: `%41`. */
const PERCENT_ENCODED_BYTES = 3;

/** The value of a hexadecimal digit by its byte; NOT_HEX for all others. */
const NOT_HEX = 255;
const hexDigits = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase());
  return digit < 0 ? NOT_HEX : digit;
});

interface Target {
  readonly source: ParameterSource;
  readonly raw: RawParameters;
  readonly texts: TextAllowance;
  readonly maxFields: number;
}

/**
 * Reads `name=value&…`, a query string or an urlencoded body, while it arrives. Nothing is repaired: a percent sign
 * without two hexadecimal digits and bytes that are not UTF-8 fail with BAD_TEXT. Too much text fails with BAD_PARAMETER
 * before it is decoded.
 */
export class FormReader {
  readonly #target: Target;
  #start = 0;
  #searched = 0;
  #fields = 0;

  constructor(target: Target) {
    this.#target = target;
  }

  /** @param bytes  all bytes so far, from the first one on  @param complete  whether the form ends here */
  advance(bytes: Uint8Array, complete: boolean): void {
    for (;;) {
      const end = bytes.indexOf(AMPERSAND, this.#searched);
      if (end < 0) break;
      this.#read(bytes, end);
      this.#start = this.#searched = end + 1;
    }
    this.#searched = bytes.length;
    if (!complete) this.#admit(bytes.length - this.#start);
    else if (this.#start < bytes.length) this.#read(bytes, bytes.length);
  }

  #read(bytes: Uint8Array, end: number): void {
    const { source, raw, maxFields } = this.#target;
    if (++this.#fields > maxFields) throw fail('MALFORMED_REQUEST', `expected at most ${maxFields} form fields`);

    const field = bytes.subarray(this.#start, end);
    const equals = field.indexOf(EQUALS);
    const nameEnd = equals < 0 ? field.length : equals;
    const name = this.#decode(field.subarray(0, nameEnd), 'the name of a parameter');
    raw.addText(name, this.#decode(field.subarray(nameEnd + 1), name), source);
  }

  #decode(coded: Uint8Array, name: string): string {
    const bytes = decodePercent(coded, name);
    this.#target.texts.take(bytes.length, name);
    return strictText(bytes, name);
  }

  #admit(codedBytes: number): void {
    this.#target.texts.admit(Math.floor(codedBytes / PERCENT_ENCODED_BYTES), 'a parameter');
  }
}

/** Reads a complete form. */
export function readForm(bytes: Uint8Array, target: Target): void {
  new FormReader(target).advance(bytes, true);
}

function decodePercent(coded: Uint8Array, name: string): Uint8Array {
  const bytes = new Uint8Array(coded.length);
  let length = 0;
  for (let i = 0; i < coded.length; i++) {
    const byte = coded[i]!;
    if (byte === PERCENT) {
      const high = hexDigits[coded[i + 1]!]!;
      const low = i + 2 < coded.length ? hexDigits[coded[i + 2]!]! : NOT_HEX; // also where high is missing
      if (high === NOT_HEX || low === NOT_HEX) {
        throw fail('BAD_TEXT', `${name} has a '%' without two hexadecimal digits after it`);
      }
      bytes[length++] = high * 16 + low;
      i += 2;
    } else {
      bytes[length++] = byte === PLUS ? SPACE : byte;
    }
  }
  return bytes.subarray(0, length);
}
