import { wirePicture, type FileContent, type Picture } from './form.ts';
import type { Page } from './images.ts';
import type { Answers } from './operations.generated.ts';
import { ask, type Connection } from './wire.ts';

/** A list of PDQ hashes without pictures. */
export type HashList = Answers['review']['ImportHashes']['hash_list'];
/** An entry of a list, in the form of ThreatExchange; `id` is its label. */
export type HashEntry = NonNullable<Answers['review']['ExportHashes']['data']>[number];
export type HashMatch = Answers['review']['SearchHashes']['matches'][number];

/** 64 hexadecimal digits, a reference picture, or a file. */
export type HashQuery = { readonly pdq: string } | { readonly id: string } | { readonly picture: Picture };

const LARGEST_PAGE = 1000;
const LARGEST_EXPORT = 10_000;

/** The lists of hashes of an application. Each added picture that is near to one is an event. */
export class Hashes {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Stores a list, or replaces the one with this id.
   * @param hashes  a hash a line, CSV, or JSON of ThreatExchange
   * @param options.distance  differing bits up to which an added picture is an event; 31 unless given
   * @returns the list, and the number of entries of another kind, which are left out
   */
  async save(
    id: string,
    hashes: FileContent,
    { distance }: { readonly distance?: number } = {},
  ): Promise<{ readonly list: HashList; readonly skipped: number }> {
    const values = { list_id: id, hashes, distance };
    const { hash_list: list, nb_skipped: skipped } = await ask(this.#connection, 'review', 'ImportHashes', values);
    return { list, skipped };
  }

  /** A page of the lists, by id. */
  async lists({ start, count = LARGEST_PAGE }: Page = {}): Promise<HashList[]> {
    const values = { starting_index: start, nb_results: count };
    return [...(await ask(this.#connection, 'review', 'ListHashLists', values)).hash_lists];
  }

  /** The entries of a list in the order of the import, fetched page by page during the loop. */
  async *entries(id: string): AsyncGenerator<HashEntry, void, undefined> {
    for await (const { data = [] } of this.#pages(id)) yield* data;
  }

  /** A list as text, in pieces: a hash a line, or CSV with qualities and labels. */
  async *text(id: string, format: 'csv' | 'text'): AsyncGenerator<string, void, undefined> {
    for await (const { text = '' } of this.#pages(id, format)) yield text;
  }

  /** The hashes that differ from one in few bits, the nearest first. @param options.distance  31 bits unless given */
  async search(
    query: HashQuery,
    { list, distance, count }: { readonly list?: string; readonly distance?: number; readonly count?: number } = {},
  ): Promise<{ readonly pdq: string; readonly total: number; readonly matches: readonly HashMatch[] }> {
    const given =
      'pdq' in query ? { pdq: query.pdq } : 'id' in query ? { image_id: query.id } : wirePicture(query.picture);
    const values = { ...given, list_id: list, distance, nb_results: count };
    const { pdq, nb_results_found: total, matches } = await ask(this.#connection, 'review', 'SearchHashes', values);
    return { pdq, total, matches };
  }

  /** Deletes a list; its events remain. */
  async delete(id: string): Promise<void> {
    await ask(this.#connection, 'review', 'DeleteHashList', { list_id: id });
  }

  async *#pages(id: string, format?: 'csv' | 'text') {
    for (let start = 0; ; start += LARGEST_EXPORT) {
      const values = { list_id: id, format, starting_index: start, nb_results: LARGEST_EXPORT };
      const page = await ask(this.#connection, 'review', 'ExportHashes', values);
      yield page;
      if (page.nb_results_found <= start + LARGEST_EXPORT) return;
    }
  }
}
