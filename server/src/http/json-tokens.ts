import { fail, type Failure } from '../errors.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Characters of a number, true, false or null. */
const LONGEST_WORD = 400;

const marks = new Set(Buffer.from('{}[]:,'));
const spaces = new Set(Buffer.from(' \t\r\n'));

/** A mark such as `{`, a string with its quotation marks, or a number, true, false or null. */
export interface Token {
  readonly kind: 'mark' | 'string' | 'word';
  readonly bytes: Buffer;
  /** Of a string. */
  readonly escapes: number;
}

/**
 * The tokens of a JSON text (RFC 8259) while it arrives, each byte read once. Escapes and the forms of words are not checked
 * here: `JSON.parse` reads one token.
 */
export class JsonTokens {
  #start = 0;
  #searched = 0;
  #escapes = 0;

  /** What is there of a string that has no end yet. */
  get unfinished(): Pick<Token, 'escapes'> & { readonly length: number } {
    return { length: this.#searched - this.#start, escapes: this.#escapes };
  }

  /**
   * Undefined if the next token is not complete, and at the end. Fails with MALFORMED_REQUEST.
   * @param bytes  all bytes so far, from the first one on  @param complete  whether the text ends here
   */
  next(bytes: Buffer, complete: boolean): Token | undefined {
    if (this.#searched === this.#start) {
      while (spaces.has(bytes[this.#start]!)) this.#start++;
      this.#searched = this.#start;
    }
    if (this.#start === bytes.length) return undefined;
    const first = bytes[this.#start]!;
    if (marks.has(first)) return this.#take(bytes, this.#start + 1, 'mark');
    const end = first === QUOTE ? this.#endOfString(bytes) : this.#endOfWord(bytes);
    if (end !== undefined) return this.#take(bytes, end, first === QUOTE ? 'string' : 'word');
    if (complete) throw malformed('unexpected end');
    return undefined;
  }

  #take(bytes: Buffer, end: number, kind: Token['kind']): Token {
    const token = { kind, bytes: bytes.subarray(this.#start, end), escapes: this.#escapes };
    this.#start = this.#searched = end;
    this.#escapes = 0;
    return token;
  }

  #endOfString(bytes: Buffer): number | undefined {
    let at = Math.max(this.#searched, this.#start + 1);
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) return at + 1;
      if (byte < 0x20) throw malformed('a control character in a string');
      if (byte !== BACKSLASH) continue;
      this.#escapes++;
      at++; // what is escaped, such as a quotation mark
    }
    this.#searched = at;
    return undefined;
  }

  #endOfWord(bytes: Buffer): number | undefined {
    let at = this.#start;
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (marks.has(byte) || spaces.has(byte)) return at;
      if (at - this.#start >= LONGEST_WORD) throw malformed(`expected at most ${LONGEST_WORD} characters in a number`);
    }
    return undefined; // no JSON text of an object ends with one
  }
}

export function malformed(fault: string): Failure {
  return fail('MALFORMED_REQUEST', `JSON body: ${fault}`);
}
