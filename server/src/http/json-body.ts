import { fail } from '../errors.ts';
import { fileNames } from '../parameters/file.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import { strictText } from '../parameters/text.ts';
import { JsonTokens, malformed, type Token } from './json-tokens.ts';
import type { Limits } from './limits.ts';
import type { TextAllowance } from './text-allowance.ts';

/** Names of files that may also be text. */
const BYTES = 'dna';

/** An escape is at most so much longer than the byte of text that it leaves at least: `\u0041`. */
const ESCAPE = 5;

/** Where in the object the next token is. */
type State =
  | 'start'
  | 'first name'
  | 'name'
  | 'colon'
  | 'value'
  | 'first item'
  | 'item'
  | 'after item'
  | 'after value'
  | 'end';

/**
 * Reads a JSON object while it arrives: texts, numbers, true and false, lists of these, and files as base64 text. Its values are
 * counted, and a text is measured before it is decoded.
 */
export class JsonReader {
  readonly #raw: RawParameters;
  readonly #texts: TextAllowance;
  readonly #limits: Limits;
  readonly #tokens = new JsonTokens();
  #state: State = 'start';
  #name = '';
  #values = 0;

  /** @param declared  the length of the body, 0 if unknown. Fails with REQUEST_TOO_LARGE. */
  constructor(raw: RawParameters, texts: TextAllowance, limits: Limits, declared: number) {
    this.#raw = raw;
    this.#texts = texts;
    this.#limits = limits;
    this.#requireLength(declared);
  }

  /** Fails with MALFORMED_REQUEST, REQUEST_TOO_LARGE, BAD_PARAMETER or BAD_TEXT. */
  advance(bytes: Buffer, complete: boolean): void {
    this.#requireLength(bytes.length);
    for (;;) {
      const token = this.#tokens.next(bytes, complete);
      if (token === undefined) break;
      this.#state = this.#after(token);
    }
    if (complete && this.#state !== 'end') throw malformed('unexpected end');
    const { length, escapes } = this.#tokens.unfinished;
    if (this.#state === 'name' || !isFile(this.#name)) this.#admit(length, escapes);
  }

  #requireLength(bytes: number): void {
    const { jsonBytes } = this.#limits;
    if (bytes <= jsonBytes) return;
    throw fail(
      'REQUEST_TOO_LARGE',
      `expected a JSON body of at most ${jsonBytes} bytes; a multipart body may be larger`,
    );
  }

  #admit(length: number, escapes: number): void {
    this.#texts.admit(length - ESCAPE * escapes, this.#name || 'a parameter');
  }

  #after(token: Token): State {
    const mark = token.kind === 'mark' ? token.bytes.toString('latin1') : '';
    switch (this.#state) {
      case 'start':
        if (mark === '{') return 'first name';
        throw malformed('expected an object');
      case 'first name':
      case 'name':
        if (mark === '}' && this.#state === 'first name') return 'end';
        return this.#readName(token);
      case 'colon':
        if (mark === ':') return 'value';
        break;
      case 'value':
        if (mark === '[') return 'first item';
        this.#read(token, true);
        return 'after value';
      case 'first item':
      case 'item':
        if (mark === ']' && this.#state === 'first item') return 'after value';
        this.#read(token, false);
        return 'after item';
      case 'after item':
        if (mark === ',') return 'item';
        if (mark === ']') return 'after value';
        break;
      case 'after value':
        if (mark === ',') return 'name';
        if (mark === '}') return 'end';
        break;
      case 'end':
    }
    throw unexpected(token);
  }

  #readName(token: Token): State {
    if (token.kind !== 'string') throw unexpected(token);
    this.#count();
    this.#admit(token.bytes.length - 2, token.escapes);
    this.#name = textOf(token, 'the name of a parameter');
    return 'colon';
  }

  /** @param nullable  whether null stands for no value */
  #read(token: Token, nullable: boolean): void {
    const name = this.#name;
    this.#count();
    if (token.kind === 'mark' && !'{['.includes(token.bytes.toString('latin1'))) throw unexpected(token);
    if (token.kind === 'string' && isFile(name)) {
      const file = fileOf(token, name);
      if (file.length > 0) this.#raw.addFile(name, file); // an empty text is no file
      return;
    }
    this.#admit(token.bytes.length - 2, token.escapes);
    const value = token.kind === 'mark' ? token : token.kind === 'string' ? textOf(token, name) : wordOf(token);
    if (value === null && nullable) return undefined;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      throw malformed(`${name}: expected a text, a number, true, false or a list of these`);
    }
    const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
    this.#texts.take(name.length + Buffer.byteLength(text), name);
    this.#raw.addText(name, text, 'body');
    return undefined;
  }

  #count(): void {
    const { jsonValues } = this.#limits;
    if (++this.#values > jsonValues) throw malformed(`expected at most ${jsonValues} names and values`);
  }
}

function isFile(name: string): boolean {
  return fileNames.has(name) && name !== BYTES;
}

function textOf({ bytes, escapes }: Token, name: string): string {
  const text = strictText(bytes, name);
  return escapes > 0 ? (parsed(text) as string) : text.slice(1, -1);
}

function wordOf({ bytes }: Token): unknown {
  return parsed(bytes.toString('latin1'));
}

function fileOf({ bytes, escapes }: Token, name: string): Uint8Array {
  const coded = bytes.toString('latin1');
  const text = escapes > 0 ? (parsed(coded) as string) : coded.slice(1, -1);
  const file = Buffer.from(text, 'base64');
  if (file.toString('base64') === text) return file;
  throw fail('BAD_PARAMETER', `${name}: expected base64`);
}

function parsed(token: string): unknown {
  try {
    return JSON.parse(token);
  } catch (cause) {
    throw malformed((cause as Error).message.slice(0, 100));
  }
}

function unexpected({ bytes }: Token): Error {
  return malformed(`unexpected ${bytes.toString('latin1', 0, 20)}`);
}
