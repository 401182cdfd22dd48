import { fail } from '../errors.ts';
import type { RawParameters, ParameterSource } from '../parameters/raw-parameters.ts';
import { strictText } from '../parameters/text.ts';
import type { TextAllowance } from './text-allowance.ts';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
/** Bytes of a percent-encoded byte: `%41`. */
const PERCENT_ENCODED_BYTES = 3;

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
  const text = Buffer.from(coded).toString('latin1').replaceAll('+', ' ');
  if (/%(?![\da-f]{2})/i.test(text)) {
    throw fail('BAD_TEXT', `${name} has a '%' without two hexadecimal digits after it`);
  }
  const bytes = text.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1');
}
