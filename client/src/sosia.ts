import { bytesOf } from './base64.ts';
import { inOrder, sideBySide } from './bulk.ts';
import { colorOf } from './colors.ts';
import type { Color, PaletteColor } from './colors.ts';
import type { Comparison } from './comparison.ts';
import { errorCodes } from './error-codes.ts';
import type { ErrorName } from './error-codes.ts';
import { foundOf, imageOf, nothing, wireNarrowing, wireSearch } from './images.ts';
import type { Found, Image, Narrowing, Page, SearchOptions } from './images.ts';
import type { Answers, Operations } from './operations.ts';
import { pause, standardPatience, waits } from './retry.ts';
import { ask, ConnectionError, SosiaError } from './wire.ts';
import type { Connection, Family, NameIn } from './wire.ts';

/** How well a reference picture can be matched. */
export interface Grade {
  /** 0 to 4; null where the type of the application cannot tell. */
  readonly grade: number | null;
  /** What is missing for a better one. */
  readonly reasons: readonly string[];
}

/** What else is wanted of a picture that is added. */
export interface Asked {
  /** Whether the reasons of its grade name a picture that is there and nearly the same; that takes a search. */
  readonly compare?: boolean;
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
  /** Of `added`, unless the answer was lost and the picture found to be there. */
  readonly grade?: Grade;
  /** Of `failed`: `SosiaError` if the service refused, `ConnectionError` if it did not answer, else what `read` threw. */
  readonly error?: Error;
}

export interface Deleted {
  readonly id: string;
  /** `missing`: there was no such picture. */
  readonly outcome: 'deleted' | 'missing' | 'failed';
  readonly error?: Error;
}

/** How many requests are under way at a time; 4 unless said otherwise. */
export interface Side {
  readonly parallel?: number;
}

type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

const LARGEST_PAGE = 1000;

/**
 * One application of a service. Every method rejects with `SosiaError` when the service refuses and with
 * `ConnectionError` when it does not answer; one that is busy is asked again.
 */
export class Sosia {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Adds a picture file. Once resolved, it survives a power cut and every search sees it. */
  async add(id: string, picture: Uint8Array, keywords: readonly string[] = [], asked: Asked = {}): Promise<Grade> {
    return this.#add(id, keywords, { image_content: picture }, asked);
  }

  async addDna(id: string, dna: Uint8Array, keywords: readonly string[] = [], asked: Asked = {}): Promise<Grade> {
    return this.#add(id, keywords, { dna }, asked);
  }

  /**
   * Adds many pictures, some at a time, and yields how each went as soon as it is known, in no order. A lost
   * connection is taken up again; an id that then exists was added by the request whose answer was lost.
   */
  addAll<Item extends NewImage>(
    items: Items<Item>,
    { parallel = 4 }: Side = {},
  ): AsyncGenerator<Added<Item>, void, undefined> {
    return sideBySide(items, parallel, (item) => this.#addOne(item));
  }

  async delete(id: string): Promise<void> {
    await this.ask('modify', 'DeleteImage', { image_id: id });
  }

  /** Deletes many pictures, as `addAll` adds them. */
  deleteAll(ids: Items<string>, { parallel = 4 }: Side = {}): AsyncGenerator<Deleted, void, undefined> {
    return sideBySide(ids, parallel, (id) => this.#deleteOne(id));
  }

  async image(id: string): Promise<Image> {
    return imageOf((await this.ask('query', 'GetImageById', { image_id: id })).image);
  }

  /**
   * All pictures by the bytes of their ids, asked for in pages while the loop goes on. What is added and deleted
   * meanwhile may be there or not; everything else comes once.
   */
  async *images(narrowing: Narrowing = {}): AsyncGenerator<Image, void, undefined> {
    if (narrowing.ids?.length === 0) return;
    const asked = { ...wireNarrowing(narrowing), nb_results: LARGEST_PAGE };
    for (let after: string | undefined; ;) {
      const { images } = foundOf(await this.ask('query', 'ListImages', { ...asked, after }));
      yield* images;
      if (images.length < LARGEST_PAGE) return;
      after = images.at(-1)!.id;
    }
  }

  /** The same with the DNA of each; one that is deleted meanwhile is left out. A lost connection is taken up again. */
  async *imagesWithDna(
    narrowing: Narrowing = {},
    { parallel = 4 }: Side = {},
  ): AsyncGenerator<Image & { readonly dna: Uint8Array }, void, undefined> {
    for await (const [image, dna] of inOrder(this.images(narrowing), parallel, (each) => this.#withDna(each))) {
      if (dna instanceof Uint8Array) yield { ...image, dna };
      else if (!isRefusal(dna, 'UNKNOWN_IMAGE')) throw dna;
    }
  }

  /** One page of what `images` goes through. */
  async list(options: Narrowing & Page = {}): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    return foundOf(await this.ask('query', 'ListImages', wireSearch(options)));
  }

  async dna(id: string): Promise<Uint8Array> {
    return bytesOf((await this.ask('modify', 'GetDnaById', { image_id: id })).dna.dna);
  }

  async search(picture: Uint8Array, options: SearchOptions = {}): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    const asked = { ...wireSearch(options), image_content: picture };
    return foundOf(await this.ask('query', 'SearchImageByUpload', asked));
  }

  async searchByDna(dna: Uint8Array, options: SearchOptions = {}): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    return foundOf(await this.ask('query', 'SearchImageByDna', { ...wireSearch(options), dna }));
  }

  async searchById(id: string, options: SearchOptions = {}): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    return foundOf(await this.ask('query', 'SearchImageById', { ...wireSearch(options), image_id: id }));
  }

  /** The pictures that have all these keywords, by id. */
  async searchByKeywords(keywords: readonly string[], options: Page & Pick<Narrowing, 'ids'> = {}): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    return foundOf(await this.ask('query', 'SearchImageByKeywords', { ...wireSearch(options), keywords }));
  }

  /** @param colors  each `rrggbb` or `rrggbb@share`, a share in per cent; for Color similarity applications, as all on colours */
  async searchByColors(colors: readonly string[], options: Narrowing & Page = {}): Promise<Found> {
    if (options.ids?.length === 0) return nothing;
    return foundOf(await this.ask('query', 'SearchImageByColors', { ...wireSearch(options), colors }));
  }

  /** The dominant colours of a reference picture, the largest share first. */
  async colors(id: string): Promise<Color[]> {
    const { colors } = await this.ask('query', 'GetImageColorsById', { image_id: id });
    return colors.map(colorOf);
  }

  /** The dominant colours of a picture file. */
  async colorsOf(picture: Uint8Array): Promise<Color[]> {
    const { colors } = await this.ask('query', 'GetImageColorsByUpload', { image_content: picture });
    return colors.map(colorOf);
  }

  /**
   * The most frequent colours of the pictures, all of them or those that have these `colors`, keywords or ids.
   * @param count  at most 1,000; all colours unless given
   */
  async palette(
    options: Narrowing & { readonly colors?: readonly string[]; readonly count?: number } = {},
  ): Promise<PaletteColor[]> {
    const { colors: having, count: nb_colors, ...narrowing } = options;
    if (narrowing.ids?.length === 0) return [];
    const asked = { ...wireNarrowing(narrowing), colors: having, nb_colors };
    const { colors, image_count } = await this.ask('query', 'GetPalette', asked);
    return colors.map((rgb, i) => ({ rgb, images: image_count[i]! }));
  }

  /** Where two picture files that match differ; for Media Matching applications. */
  async compare(reference: Uint8Array, query: Uint8Array): Promise<Comparison> {
    const asked = { reference_image: reference, query_image: query };
    const { score, regions, homography, ref_image, query_image } = await this.ask('query', 'FineComparison', asked);
    return { score, regions, homography, reference: bytesOf(ref_image), query: bytesOf(query_image) };
  }

  /** The score of a picture file for each profile: positive where the profile fits; for Filter applications. */
  async classify(picture: Uint8Array): Promise<Record<string, number>> {
    return (await this.ask('query', 'Filter', { query_image: picture })).scores;
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
   * Any operation by its own name, with its parameters as docs/api.md names them. Resolves with the answer as it
   * came, once its code is 0.
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
    content: { readonly image_content: Uint8Array } | { readonly dna: Uint8Array },
    { compare }: Asked,
  ): Promise<Grade> {
    const asked = { image_id: id, keywords, ...content, compare: compare ? 1 : undefined };
    return gradeOf(await this.ask('modify', 'AddImage', asked));
  }

  async #addOne<Item extends NewImage>(item: Item): Promise<Added<Item>> {
    const { id, keywords = [], read } = item;
    return this.#insist<Added<Item>>(
      async (lost) => {
        const content = await read();
        try {
          const grade = await ('dna' in content
            ? this.addDna(id, content.dna, keywords)
            : this.add(id, content.picture, keywords));
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

  #deleteOne(id: string): Promise<Deleted> {
    return this.#insist<Deleted>(
      async (lost) => {
        try {
          await this.delete(id);
          return { id, outcome: 'deleted' };
        } catch (error) {
          if (isRefusal(error, 'IMAGE_NOT_FOUND')) return { id, outcome: lost ? 'deleted' : 'missing' };
          throw error;
        }
      },
      (error) => ({ id, outcome: 'failed', error }),
    );
  }

  /**
   * Works again when the connection is lost, until patience ends.
   * @param work  told whether the same request was sent before and its answer lost
   */
  async #insist<Outcome>(
    work: (lost: boolean) => Promise<Outcome>,
    failed: (error: Error) => Outcome,
  ): Promise<Outcome> {
    const { patience = standardPatience, signal } = this.#connection;
    const again = waits(patience);
    try {
      for (let lost = false; ; lost = true) {
        try {
          return await work(lost);
        } catch (error) {
          const wait = error instanceof ConnectionError ? again.next().value : undefined;
          if (wait === undefined) throw error;
          await pause(wait, signal);
        }
      }
    } catch (cause) {
      return failed(cause instanceof Error ? cause : new Error(String(cause), { cause }));
    }
  }
}

function isRefusal(error: unknown, name: ErrorName): boolean {
  return error instanceof SosiaError && error.code === errorCodes[name];
}

function gradeOf({ grade = null, reasons = [] }: { grade?: number | null; reasons?: readonly string[] }): Grade {
  return { grade, reasons };
}
