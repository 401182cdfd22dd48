import { bytesOf } from './base64.ts';
import { inOrder, sideBySide } from './bulk.ts';
import { colorOf, type Color, type PaletteColor } from './colors.ts';
import { wireCompared, type Compared, type Comparison } from './comparison.ts';
import { errorCodes, type ErrorName } from './error-codes.generated.ts';
import { Events } from './events.ts';
import { Hashes } from './hashes.ts';
import { wirePicture, type Picture } from './form.ts';
import { foundOf, imageOf, nothing, wireNarrowing, wireSearch, wireVerdicts } from './images.ts';
import type { Metadata } from './metadata.ts';
import type { Found, Image, Narrowing, Page, SearchOptions } from './images.ts';
import type { Answers, Operations } from './operations.generated.ts';
import { Review } from './review.ts';
import { ask, insist, SosiaError, type Connection, type Family, type NameIn } from './wire.ts';
import { Webhooks } from './webhooks.ts';

/** The quality of a reference picture for matching. */
export interface Grade {
  /** 0 to 4; null for types that do not grade. */
  readonly grade: number | null;
  /** Reasons for a low grade. */
  readonly reasons: readonly string[];
}

/** Options for an added picture. */
export interface AddOptions {
  /** Whether `reasons` names a nearly identical picture of the application; that takes a search. */
  readonly compare?: boolean;
  /** Stored with the picture and returned with it; `where` filters by it. */
  readonly metadata?: Metadata | undefined;
}

/** A picture to add: its file or its DNA. */
export interface NewImage {
  readonly id: string;
  readonly keywords?: readonly string[];
  readonly metadata?: Metadata | undefined;
  /** Called when the upload begins, so that a long list is never in memory as a whole. */
  readonly read: () => Promise<{ readonly picture: Picture } | { readonly dna: Uint8Array }>;
}

/** The outcome for one picture of many. */
export interface Added<Item extends NewImage> {
  readonly item: Item;
  /** `exists`: the id existed before; its picture does not change. */
  readonly outcome: 'added' | 'exists' | 'failed';
  /** Of `added`, unless the answer was lost and the picture was found. */
  readonly grade?: Grade;
  /** Of `failed`: `SosiaError` for a refusal, `ConnectionError` without an answer, or the error of `read`. */
  readonly error?: Error;
}

export interface Deleted {
  readonly id: string;
  /** `missing`: the id did not exist. */
  readonly outcome: 'deleted' | 'missing' | 'failed';
  readonly error?: Error;
  /** With the option `files`. */
  readonly files?: FileChanges | undefined;
}

/** What became of the files of pictures that were removed. */
export type FileChanges = NonNullable<Answers['modify']['DeleteImage']['files']>;

/** Whether the files of removed pictures that lie in writable sources go, too: to a trash folder, or for ever. */
export interface RemoveOptions {
  readonly files?: 'keep' | 'trash' | 'delete' | undefined;
}

/** The number of concurrent requests, 4 if missing. */
export interface BulkOptions {
  readonly parallel?: number;
}

type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

const LARGEST_PAGE = 1000;

/**
 * One application of a service. Every method rejects with `SosiaError` if the service refuses, and with
 * `ConnectionError` if no answer arrives. Requests to a busy service are repeated.
 */
export class Sosia {
  /** Duplicates, verdicts, the ignore list and counts of matches. */
  readonly review: Review;
  /** Saved searches, and the pictures that they find. */
  readonly events: Events;
  /** Lists of PDQ hashes, with which added pictures are compared. */
  readonly hashes: Hashes;
  /** The addresses that events are sent to. */
  readonly webhooks: Webhooks;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.review = new Review(connection);
    this.events = new Events(connection);
    this.hashes = new Hashes(connection);
    this.webhooks = new Webhooks(connection);
  }

  /** Adds a picture file. Once resolved, the picture survives a power cut and every search finds it. */
  async add(id: string, picture: Picture, keywords: readonly string[] = [], options: AddOptions = {}): Promise<Grade> {
    return this.#add(id, keywords, wirePicture(picture), options);
  }

  /** As `add`, with the DNA instead of the file, so that the picture itself never leaves its machine. */
  async addDna(
    id: string,
    dna: Uint8Array,
    keywords: readonly string[] = [],
    options: AddOptions = {},
  ): Promise<Grade> {
    return this.#add(id, keywords, { dna }, options);
  }

  /**
   * Adds many pictures, some in parallel, and yields each outcome as soon as it is known, in no order. After a lost
   * connection the request is repeated; an id that then exists was added by the request whose answer was lost.
   */
  addAll<Item extends NewImage>(
    items: Items<Item>,
    { parallel = 4 }: BulkOptions = {},
  ): AsyncGenerator<Added<Item>, void, undefined> {
    return sideBySide(items, parallel, (item) => this.#addOne(item));
  }

  /** Deletes a picture. Once resolved, no search finds it. */
  async delete(id: string, { files }: RemoveOptions = {}): Promise<FileChanges | undefined> {
    return (await this.ask('modify', 'DeleteImage', { image_id: id, files })).files;
  }

  /** Replaces the keywords of a picture. */
  async setKeywords(id: string, keywords: readonly string[]): Promise<void> {
    await this.ask('modify', 'SetKeywords', { image_id: id, keywords });
  }

  /** Replaces the metadata of a picture; without them it has none from then on. */
  async setMetadata(id: string, metadata?: Metadata): Promise<void> {
    await this.ask('modify', 'SetMetadata', { image_id: id, metadata: metadata && JSON.stringify(metadata) });
  }

  /** Deletes many pictures, as `addAll` adds them. */
  deleteAll(
    ids: Items<string>,
    { parallel = 4, ...options }: BulkOptions & RemoveOptions = {},
  ): AsyncGenerator<Deleted, void, undefined> {
    return sideBySide(ids, parallel, (id) => this.#deleteOne(id, options));
  }

  /** The stored data of a picture except its DNA. */
  async image(id: string): Promise<Image> {
    return imageOf((await this.ask('query', 'GetImageById', { image_id: id })).image);
  }

  /**
   * All pictures by the bytes of their ids, fetched page by page during the loop. Pictures that are added or deleted
   * meanwhile may be included or not; every other picture is yielded once.
   */
  async *images(narrowing: Narrowing = {}): AsyncGenerator<Image, void, undefined> {
    if (narrowing.ids?.length === 0) return;
    const parameters = { ...wireNarrowing(narrowing), nb_results: LARGEST_PAGE };
    for (let after: string | undefined; ;) {
      const { images } = foundOf(await this.ask('query', 'ListImages', { ...parameters, after }));
      yield* images;
      if (images.length < LARGEST_PAGE) return;
      after = images.at(-1)!.id;
    }
  }

  /**
   * The same with the DNA of each, without pictures that are deleted meanwhile. Requests are repeated after a lost
   * connection.
   */
  async *imagesWithDna(
    narrowing: Narrowing = {},
    { parallel = 4 }: BulkOptions = {},
  ): AsyncGenerator<Image & { readonly dna: Uint8Array }, void, undefined> {
    for await (const [image, dna] of inOrder(this.images(narrowing), parallel, (each) => this.#withDna(each))) {
      if (dna instanceof Uint8Array) yield { ...image, dna };
      else if (!isRefusal(dna, 'UNKNOWN_IMAGE')) throw dna;
    }
  }

  /** One page of the list that `images` yields, or the last picture that was added or changed first. */
  async list({ order, ...options }: Narrowing & Page & { order?: 'id' | 'latest' } = {}): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    return foundOf(await this.ask('query', 'ListImages', { ...wireSearch(options), order }));
  }

  /** The DNA of a reference picture, which `addDna` and `searchByDna` accept. */
  async dna(id: string): Promise<Uint8Array> {
    return bytesOf((await this.ask('modify', 'GetDnaById', { image_id: id })).dna.dna);
  }

  /** The DNA of a picture file, which the service does not keep. @param side  `query` for `searchByDna`: richer on most types */
  async dnaOf(picture: Picture, side: 'reference' | 'query' = 'reference'): Promise<Uint8Array> {
    return bytesOf((await this.ask('query', 'GetDnaByUpload', { ...wirePicture(picture), side })).dna);
  }

  /** The hash PDQ of a picture file, 64 hexadecimal digits, and its quality of 0 to 100: below 50 too uncertain to match. */
  async pdq(picture: Picture): Promise<{ readonly pdq: string; readonly quality: number }> {
    const { pdq, quality } = await this.ask('query', 'GetPdq', wirePicture(picture));
    return { pdq, quality };
  }

  /** The reference pictures that match a picture file, best first. */
  async search(picture: Picture, options: SearchOptions = {}): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    const parameters = { ...wireSearch(options), ...wireVerdicts(options), ...wirePicture(picture) };
    return foundOf(await this.ask('query', 'SearchImageByUpload', parameters));
  }

  /** The reference pictures that match a DNA, best first. */
  async searchByDna(dna: Uint8Array, options: SearchOptions = {}): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    const verdicts = wireVerdicts(options);
    return foundOf(await this.ask('query', 'SearchImageByDna', { ...wireSearch(options), ...verdicts, dna }));
  }

  /** The picture itself, then the reference pictures that match it, best first. Not for Mobile Matching. */
  async searchById(id: string, options: SearchOptions = {}): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    const verdicts = wireVerdicts(options);
    return foundOf(await this.ask('query', 'SearchImageById', { ...wireSearch(options), ...verdicts, image_id: id }));
  }

  /** The pictures that have all these keywords, by id. */
  async searchByKeywords(
    keywords: readonly string[],
    options: Page & Pick<Narrowing, 'ids' | 'where'> = {},
  ): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    return foundOf(await this.ask('query', 'SearchImageByKeywords', { ...wireSearch(options), keywords }));
  }

  /**
   * @param colors  each `rrggbb` or `rrggbb@share`, a share in per cent; for Color similarity applications, like all
   *   methods on colours
   */
  async searchByColors(
    colors: readonly string[],
    options: Narrowing & Page & Pick<SearchOptions, 'similarity' | 'fold'> = {},
  ): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    return foundOf(await this.ask('query', 'SearchImageByColors', { ...wireSearch(options), colors }));
  }

  /** The dominant colours of a reference picture, the largest share first. */
  async colors(id: string): Promise<Color[]> {
    const { colors } = await this.ask('query', 'GetImageColorsById', { image_id: id });
    return colors.map(colorOf);
  }

  /** The dominant colours of a picture file. */
  async colorsOf(picture: Picture): Promise<Color[]> {
    const { colors } = await this.ask('query', 'GetImageColorsByUpload', wirePicture(picture));
    return colors.map(colorOf);
  }

  /**
   * The most frequent colours of all pictures, or of those that have these `colors`, keywords or ids.
   * @param count  at most 1,000; all colours if missing
   */
  async palette(
    options: Narrowing & { readonly colors?: readonly string[]; readonly count?: number } = {},
  ): Promise<PaletteColor[]> {
    const { colors: having, count: nb_colors, ...narrowing } = options;
    if (narrowing.ids?.length === 0) return [];
    const parameters = { ...wireNarrowing(narrowing), colors: having, nb_colors };
    const { colors, image_count } = await this.ask('query', 'GetPalette', parameters);
    return colors.map((rgb, i) => ({ rgb, images: image_count[i]! }));
  }

  /** The differences of two pictures that match; for Media Matching applications. */
  async compare(reference: Compared, query: Compared): Promise<Comparison> {
    const answer = await this.ask('query', 'FineComparison', {
      ...wireCompared(reference, 'reference'),
      ...wireCompared(query, 'query'),
    });
    const { score, regions, rim_strips: rimStrips = [], coarse = false, homography, ref_image, query_image } = answer;
    const marked = { reference: bytesOf(ref_image), query: bytesOf(query_image) };
    return { score, regions, rimStrips, coarse, homography, ...marked };
  }

  /** The score of a picture file for each profile: positive where the profile fits; for Filter applications. */
  async classify(picture: Picture): Promise<Record<string, number>> {
    const content = picture instanceof URL ? { image_url: picture.href } : { query_image: picture };
    return (await this.ask('query', 'Filter', content)).scores;
  }

  /** Number of reference pictures. */
  async count(): Promise<number> {
    return (await this.ask('query', 'GetApplicationStatus', {})).nb_loaded_images;
  }

  /** Number of reference pictures that are damaged and set aside; 0 for a sound application. */
  async damaged(): Promise<number> {
    return (await this.ask('modify', 'GetApplicationStatus', {})).nb_damaged_images ?? 0;
  }

  /** Whether pictures can be added and deleted. */
  async writable(): Promise<boolean> {
    return (await this.ask('modify', 'GetApplicationStatus', {})).application_db_status === 'available';
  }

  /**
   * Runs any operation by its name, with its parameters as in docs/api.md. Resolves with the unmodified answer, if its
   * code is 0.
   */
  ask<F extends Family, Name extends NameIn<F>>(
    family: F,
    operation: Name,
    values: Operations[F][Name],
  ): Promise<Answers[F][Name]> {
    return ask(this.#connection, family, operation, values);
  }

  async #add(
    id: string,
    keywords: readonly string[],
    content: ReturnType<typeof wirePicture> | { readonly dna: Uint8Array },
    { compare, metadata }: AddOptions,
  ): Promise<Grade> {
    const options = { metadata: metadata && JSON.stringify(metadata), compare: compare ? 1 : undefined };
    const parameters = { image_id: id, keywords, ...content, ...options };
    const { grade = null, reasons = [] } = await this.ask('modify', 'AddImage', parameters);
    return { grade, reasons };
  }

  async #addOne<Item extends NewImage>(item: Item): Promise<Added<Item>> {
    const { id, keywords = [], metadata, read } = item;
    return this.#insist<Added<Item>>(
      async (lost) => {
        const content = await read();
        try {
          const grade = await ('dna' in content
            ? this.addDna(id, content.dna, keywords, { metadata })
            : this.add(id, content.picture, keywords, { metadata }));
          return { item, outcome: 'added', grade };
        } catch (error) {
          if (isRefusal(error, 'IMAGE_EXISTS')) return { item, outcome: lost ? 'added' : 'exists' };
          throw error;
        }
      },
      (error) => ({ item, outcome: 'failed', error }),
    );
  }

  #withDna(image: Image): Promise<readonly [Image, Uint8Array | Error]> {
    return this.#insist<readonly [Image, Uint8Array | Error]>(
      async () => [image, await this.dna(image.id)],
      (error) => [image, error],
    );
  }

  #deleteOne(id: string, options: RemoveOptions): Promise<Deleted> {
    return this.#insist<Deleted>(
      async (lost) => {
        try {
          return { id, outcome: 'deleted', files: await this.delete(id, options) };
        } catch (error) {
          if (isRefusal(error, 'IMAGE_NOT_FOUND')) return { id, outcome: lost ? 'deleted' : 'missing' };
          throw error;
        }
      },
      (error) => ({ id, outcome: 'failed', error }),
    );
  }

  /**
   * Repeats the work after a lost connection, within the limits of `patience`.
   * @param work  receives whether an earlier request was sent and its answer lost
   */
  async #insist<Outcome>(
    work: (lost: boolean) => Promise<Outcome>,
    failed: (error: Error) => Outcome,
  ): Promise<Outcome> {
    try {
      return await insist(this.#connection, work);
    } catch (cause) {
      return failed(cause instanceof Error ? cause : new Error(String(cause), { cause }));
    }
  }
}

function isRefusal(error: unknown, name: ErrorName): boolean {
  return error instanceof SosiaError && error.code === errorCodes[name];
}
