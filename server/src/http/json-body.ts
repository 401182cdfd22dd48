import { fail } from '../errors.ts';
import { fileNames } from '../parameters/file.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import { strictText } from '../parameters/text.ts';
import type { Limits } from './limits.ts';
import type { TextAllowance } from './text-allowance.ts';

/** Names of files that may also be text. */
const BYTES = 'dna';

/** Reads a JSON object: texts, numbers, true and false, lists of these, and files as base64 text. */
export class JsonReader {
  readonly #raw: RawParameters;
  readonly #texts: TextAllowance;
  readonly #limits: Limits;

  constructor(raw: RawParameters, texts: TextAllowance, limits: Limits) {
    this.#raw = raw;
    this.#texts = texts;
    this.#limits = limits;
  }

  advance(bytes: Buffer, complete: boolean): void {
    const { jsonBytes } = this.#limits;
    if (bytes.length > jsonBytes) {
      throw fail(
        'REQUEST_TOO_LARGE',
        `expected a JSON body of at most ${jsonBytes} bytes; a multipart body may be larger`,
      );
    }
    if (!complete) return;
    for (const [name, value] of Object.entries(objectIn(strictText(bytes, 'the JSON body')))) {
      if (value === null) continue;
      for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) this.#add(name, each);
    }
  }

  #add(name: string, value: unknown): void {
    if (typeof value === 'string' && fileNames.has(name) && name !== BYTES) {
      this.#raw.addFile(name, bytesIn(value, name));
      return;
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      throw fail('MALFORMED_REQUEST', `JSON body: ${name}: expected a text, a number, true, false or a list of these`);
    }
    const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
    this.#texts.take(name.length + Buffer.byteLength(text), name);
    this.#raw.addText(name, text, 'body');
  }
}

function objectIn(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw fail('MALFORMED_REQUEST', `JSON body: ${(cause as Error).message.slice(0, 100)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw fail('MALFORMED_REQUEST', 'JSON body: expected an object');
}

function bytesIn(text: string, name: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') === text) return bytes;
  throw fail('BAD_PARAMETER', `${name}: expected base64`);
}
