import { sideBySide } from './bulk.ts';
import type { Patience } from './retry.ts';
import { pause, standardPatience, waits } from './retry.ts';

/** Where a service is and which application of it is meant. */
export interface Connection {
  /** Of the MODIFY port, for instance `http://127.0.0.1:7789`. */
  readonly modify: string;
  /** Of the QUERY port, for instance `http://127.0.0.1:8080`. */
  readonly query: string;
  readonly key: string;
  /** Given to every request. */
  readonly signal?: AbortSignal;
  /** With a busy service, one that answers HTTP 503. Six retries within about 15 s unless said otherwise. */
  readonly patience?: Patience;
}

/** A picture to be added: its file or its DNA. */
export interface NewImage {
  readonly id: string;
  readonly keywords?: readonly string[];
  /** Called when its turn comes, so that a long list never stands in memory. */
  readonly read: () => Promise<{ readonly picture: Uint8Array } | { readonly dna: Uint8Array }>;
}

/** How it went with one picture of many. */
export interface Added<Item extends NewImage> {
  readonly item: Item;
  /** `exists`: the id was there before; the picture there stays as it is. */
  readonly outcome: 'added' | 'exists' | 'failed';
  /** Of `failed`: `SosiaError` if the service refused, `ConnectionError` if it did not answer, else what `read` threw. */
  readonly error?: unknown;
}

export interface Image {
  readonly id: string;
  readonly keywords: readonly string[];
  /** In [0, 1]; 0 is the same picture. */
  readonly score: number;
  /** What the type of the application tells of a match; null where it tells nothing. */
  readonly resultInfo: unknown;
}

export interface Found {
  /** All matches, not only those of this page. */
  readonly total: number;
  /** Best first. */
  readonly images: readonly Image[];
}

/** Narrows a search, and tells which page of its results is wanted. */
export interface SearchOptions {
  readonly keywords?: readonly string[];
  /** Only among these, at most 10,000. */
  readonly ids?: readonly string[];
  /** 0 to 100, form to colour; for Image Similarity applications. */
  readonly colorWeight?: number;
  readonly start?: number;
  /** At most 1,000. */
  readonly count?: number;
}

/** An operation the service refused. `code` is a row of docs/errors.md. */
export class SosiaError extends Error {
  readonly code: number;
  readonly http: number;
  constructor(code: number, http: number, message: string) {
    super(message);
    this.code = code;
    this.http = http;
  }
}

/** No answer came, or one that is none of this interface. Whether the request was carried out is not known. */
export class ConnectionError extends Error {}

const IMAGE_EXISTS = -2801;

type Value = string | number | Uint8Array | readonly string[] | undefined;
type Family = 'modify' | 'query';

/** One application of a service. Every method rejects with `SosiaError` when the service refuses. */
export class Sosia {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Adds a picture file. Once resolved, it survives a power cut and every search sees it. */
  async add(id: string, picture: Uint8Array, keywords: readonly string[] = []): Promise<void> {
    await this.#ask('modify', 'AddImage', { image_id: id, keywords, image_content: picture });
  }

  async addDna(id: string, dna: Uint8Array, keywords: readonly string[] = []): Promise<void> {
    await this.#ask('modify', 'AddImage', { image_id: id, keywords, dna });
  }

  /**
   * Adds many pictures, `parallel` at a time, and yields how each went as soon as it is known, in no order. A lost
   * connection is taken up again; an id that then exists was added by the request whose answer was lost.
   */
  addAll<Item extends NewImage>(
    items: AsyncIterable<Item> | Iterable<Item>,
    { parallel = 4 }: { readonly parallel?: number } = {},
  ): AsyncGenerator<Added<Item>, void, undefined> {
    return sideBySide(items, parallel, (item) => this.#addOne(item));
  }

  async #addOne<Item extends NewImage>(item: Item): Promise<Added<Item>> {
    const { id, keywords = [] } = item;
    const again = waits(this.#connection.patience ?? standardPatience);
    let lost = false;
    for (;;) {
      try {
        const content = await item.read();
        if ('dna' in content) await this.addDna(id, content.dna, keywords);
        else await this.add(id, content.picture, keywords);
        return { item, outcome: 'added' };
      } catch (error) {
        if (error instanceof SosiaError && error.code === IMAGE_EXISTS) {
          return { item, outcome: lost ? 'added' : 'exists' };
        }
        const wait = error instanceof ConnectionError ? again.next().value : undefined;
        if (wait === undefined) return { item, outcome: 'failed', error };
        lost = true;
        await pause(wait);
      }
    }
  }

  async delete(id: string): Promise<void> {
    await this.#ask('modify', 'DeleteImage', { image_id: id });
  }

  async image(id: string): Promise<Image> {
    const { image } = await this.#ask('query', 'GetImageById', { image_id: id });
    return imageOf(image);
  }

  async dna(id: string): Promise<Uint8Array> {
    const { dna } = await this.#ask('modify', 'GetDnaById', { image_id: id });
    return Uint8Array.from(atob(dna.dna), (character) => character.charCodeAt(0));
  }

  search(picture: Uint8Array, options: SearchOptions = {}): Promise<Found> {
    return this.#search('SearchImageByUpload', options, { image_content: picture });
  }

  searchByDna(dna: Uint8Array, options: SearchOptions = {}): Promise<Found> {
    return this.#search('SearchImageByDna', options, { dna });
  }

  searchById(id: string, options: SearchOptions = {}): Promise<Found> {
    return this.#search('SearchImageById', options, { image_id: id });
  }

  /** The pictures that have all these keywords. */
  searchByKeywords(keywords: readonly string[], options: Omit<SearchOptions, 'keywords'> = {}): Promise<Found> {
    return this.#search('SearchImageByKeywords', { ...options, keywords });
  }

  /** Number of reference pictures. */
  async count(): Promise<number> {
    return (await this.#ask('query', 'GetApplicationStatus', {})).nb_loaded_images;
  }

  /** Whether pictures can be added and deleted. */
  async writable(): Promise<boolean> {
    return (await this.#ask('modify', 'GetApplicationStatus', {})).application_db_status === 'available';
  }

  async #search(operation: string, options: SearchOptions, values: Record<string, Value> = {}): Promise<Found> {
    if (options.ids?.length === 0) return { total: 0, images: [] }; // on the wire, an empty list is no list
    const asked = { ...wireOptions(options), ...values };
    const { nb_results_found: total, images } = await this.#ask('query', operation, asked);
    return { total, images: images.map(imageOf) };
  }

  /** Asks until the service is not busy, or patience ends. */
  async #ask(family: Family, operation: string, values: Record<string, Value>): Promise<any> {
    const { patience = standardPatience, signal } = this.#connection;
    const again = waits(patience);
    for (;;) {
      const { http, answer } = await this.#send(family, operation, values);
      const { code, message } = answer.status;
      if (code === 0) return answer;
      const wait = http === 503 ? again.next().value : undefined;
      if (wait === undefined) throw new SosiaError(code, http, message);
      await pause(wait, signal);
    }
  }

  /** Everything goes by POST as one multipart form: no length limit, no encoding to get wrong. */
  async #send(
    family: Family,
    operation: string,
    values: Record<string, Value>,
  ): Promise<{ http: number; answer: any }> {
    const { key, signal } = this.#connection;
    const base = this.#connection[family].replace(/\/+$/, '');
    try {
      const response = await fetch(`${base}/api/v2.0/engine${family}/json/${operation}`, {
        method: 'POST',
        body: formOf({ application_key: key, ...values }),
        ...(signal && { signal }),
      });
      const answer: any = await response.json();
      if (typeof answer?.status?.code !== 'number') throw new SyntaxError('no status object');
      return { http: response.status, answer };
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new ConnectionError(`no answer from ${base}: ${reasonOf(cause)}`, { cause });
    }
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'what listens there speaks another language';
  const { code, message } = ((cause as Error).cause ?? cause) as { code?: string; message: string };
  return code === 'ECONNREFUSED' ? 'nothing listens there' : message || code || 'the connection was lost';
}

function formOf(values: Record<string, Value>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) {
    if (value instanceof Uint8Array) form.append(name, new Blob([Uint8Array.from(value)]));
    else if (Array.isArray(value)) value.forEach((each) => form.append(name, each));
    else if (value !== undefined) form.append(name, String(value));
  }
  return form;
}

function wireOptions({ keywords, ids, colorWeight, start, count }: SearchOptions): Record<string, Value> {
  return { keywords, ids_list: ids?.join(';'), color_weight: colorWeight, starting_index: start, nb_results: count };
}

function imageOf(image: { id: string; keywords: string[]; score: number; result_info: string }): Image {
  const { id, keywords, score, result_info } = image;
  return { id, keywords, score, resultInfo: result_info === '' ? null : JSON.parse(result_info) };
}
