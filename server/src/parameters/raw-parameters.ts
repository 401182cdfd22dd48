import { fail } from '../errors.ts';

/** Where in a request a text was. */
export type ParameterSource = 'query' | 'body';

/** The parameters of one request, uninterpreted. */
export class RawParameters {
  readonly #texts = new Map<string, { source: ParameterSource; text: string }[]>();
  readonly #files = new Map<string, Uint8Array[]>();
  readonly #emptyFiles = new Set<string>();

  /** An empty parameter counts as absent: many clients send all the names they have. */
  addText(name: string, text: string, source: ParameterSource): void {
    if (text !== '') push(this.#texts, name, { source, text });
  }

  replaceText(name: string, text: string): void {
    this.#texts.set(name, [{ source: 'query', text }]);
  }

  addFile(name: string, content: Uint8Array): void {
    if (content.length > 0) push(this.#files, name, content);
    else this.#emptyFiles.add(name);
  }

  hasEmptyFile(name: string): boolean {
    return this.#emptyFiles.has(name);
  }

  /** The names of all texts. */
  names(): string[] {
    return [...this.#texts.keys()];
  }

  /** All texts of a name, those of the query string first. */
  texts(name: string): string[] {
    return (this.#texts.get(name) ?? []).map(({ text }) => text);
  }

  /**
   * The one text of a name. Fails with REPEATED_PARAMETER if there are more, with one exception: the same text once in
   * the query string and once in the body is unambiguous.
   */
  text(name: string): string | undefined {
    const all = this.#texts.get(name) ?? [];
    const saidTwice = all.length === 2 && all[0]!.source !== all[1]!.source && all[0]!.text === all[1]!.text;
    if (all.length > 1 && !saidTwice) throw fail('REPEATED_PARAMETER', `${name}, ${all.length} times`);
    return all[0]?.text;
  }

  /** The one file of a name. Fails with REPEATED_PARAMETER if there are more. */
  file(name: string): Uint8Array | undefined {
    const all = this.#files.get(name) ?? [];
    if (all.length > 1) throw fail('REPEATED_PARAMETER', `${name}, ${all.length} times`);
    return all[0];
  }
}

function push<T>(lists: Map<string, T[]>, name: string, item: T): void {
  const list = lists.get(name);
  if (list) list.push(item);
  else lists.set(name, [item]);
}
