/** Where a service is and which application of it is meant. */
export interface Connection {
  /** Of the MODIFY port, for instance `http://127.0.0.1:7789`. */
  readonly modify: string;
  /** Of the QUERY port, for instance `http://127.0.0.1:8080`. */
  readonly query: string;
  readonly key: string;
  /** Given to every request. */
  readonly signal?: AbortSignal;
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

  /** Everything goes by POST as one multipart form: no length limit, no encoding to get wrong. */
  async #ask(family: Family, operation: string, values: Record<string, Value>): Promise<any> {
    const { key, signal } = this.#connection;
    const base = this.#connection[family].replace(/\/+$/, '');
    const response = await fetch(`${base}/api/v2.0/engine${family}/json/${operation}`, {
      method: 'POST',
      body: formOf({ application_key: key, ...values }),
      ...(signal && { signal }),
    });
    const answer: any = await response.json();
    const { code, message } = answer.status;
    if (code !== 0) throw new SosiaError(code, response.status, message);
    return answer;
  }
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
