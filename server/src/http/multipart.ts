import { fail } from '../errors.ts';
import { fileNames } from '../parameters/file.ts';
import type { RawParameters } from '../parameters/raw-parameters.ts';
import { strictText } from '../parameters/text.ts';
import type { Limits } from './limits.ts';
import { partName } from './part-name.ts';
import type { TextAllowance } from './text-allowance.ts';

const DASH = 0x2d;
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Reads a multipart body (RFC 2046, RFC 7578) while it arrives. Every part is read as bytes, and its name alone decides
 * whether it is a file: clients omit filenames and types, or add them to texts. Text is decoded here, strictly. Files
 * are views of the last bytes passed in, without a copy. A part without a name, or with unreadable headers, is ignored.
 */
export class MultipartReader {
  readonly #limits: Limits;
  readonly #raw: RawParameters;
  readonly #texts: TextAllowance;
  readonly #delimiter: Buffer;
  /** The end of the delimiter before the current part; undefined before the first one. */
  #start: number | undefined;
  #searched = 0;
  #parts = 0;
  #ended = false;
  readonly #files: { name: string; start: number; end: number }[] = [];

  /** Fails with MALFORMED_REQUEST if the type has no boundary of 1 to 70 characters. */
  constructor(contentType: string, raw: RawParameters, texts: TextAllowance, limits: Limits) {
    const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
    const boundary = quoted ?? plain ?? '';
    if (boundary.length === 0 || boundary.length > limits.boundaryLength) {
      throw fail('MALFORMED_REQUEST', `expected a multipart boundary of 1 to ${limits.boundaryLength} characters`);
    }
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    this.#raw = raw;
    this.#texts = texts;
    this.#limits = limits;
  }

  /**
   * Fails with MALFORMED_REQUEST for a body that is truncated or above the limits, with BAD_TEXT for text that is not
   * UTF-8.
   * @param bytes  all bytes so far, from the first one on  @param complete  whether the body ends here
   */
  advance(bytes: Buffer, complete: boolean): void {
    while (!this.#ended) {
      const found = this.#find(bytes);
      if (found === undefined) break;
      const end = found + this.#delimiter.length;
      // two dashes after a delimiter mark the last one
      if (end + 2 > bytes.length) break;

      if (this.#start !== undefined) this.#read(bytes, this.#start, found);
      this.#start = this.#searched = end;
      this.#ended = bytes[end] === DASH && bytes[end + 1] === DASH;
    }
    if (!complete) return;
    if (!this.#ended) throw malformed('unexpected end of the body');
    for (const { name, start, end } of this.#files) this.#raw.addFile(name, bytes.subarray(start, end));
  }

  /**
   * The start of the next delimiter: 2 before the first byte if the body starts with one, for its line end is missing.
   */
  #find(bytes: Buffer): number | undefined {
    const { length } = this.#delimiter;
    const first = this.#delimiter.subarray(2);
    if (this.#searched === 0 && bytes.subarray(0, first.length).equals(first)) return -2;

    const found = bytes.indexOf(this.#delimiter, this.#searched);
    this.#searched = found < 0 ? Math.max(this.#searched, bytes.length - length + 1) : found;
    return found < 0 ? undefined : found;
  }

  /** Reads the part between the end of one delimiter and the start of the next. */
  #read(bytes: Buffer, start: number, end: number): void {
    const { parts, partHeaderBytes } = this.#limits;
    if (++this.#parts > parts) throw malformed(`expected at most ${parts} parts`);

    const part = bytes.subarray(start, end);
    const headEnd = part.subarray(0, partHeaderBytes).indexOf(HEAD_END);
    if (headEnd < 0 && part.length > partHeaderBytes) {
      throw malformed(`expected at most ${partHeaderBytes} bytes of headers in a part`);
    }
    const name = headEnd < 0 ? undefined : partName(part.subarray(0, headEnd));
    if (name === undefined) return;

    const contentStart = headEnd + HEAD_END.length;
    if (fileNames.has(name)) {
      this.#files.push({ name, start: start + contentStart, end });
    } else {
      const content = part.subarray(contentStart);
      this.#texts.take(name.length + content.length, name);
      this.#raw.addText(name, strictText(content, name), 'body');
    }
  }
}

function malformed(fault: string) {
  return fail('MALFORMED_REQUEST', `multipart body: ${fault}`);
}
