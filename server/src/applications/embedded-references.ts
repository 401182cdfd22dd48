import type { Metadata } from '@sosia/contract';
import { typeDefinitions, type Explanation, type ImageNumber, type Prevalent } from '@sosia/engine';
import { fail } from '../errors.ts';
import { RECORD_DAMAGED } from '../shards/record-file.ts';
import type { Shards } from '../shards/shards.ts';
import { checksumOfImage } from '../store/image-table.ts';
import type { ImageStore } from '../store/image-store.ts';
import { recordsOf, type ApplicationRecord, type Details, type NewImage } from '../store/store.ts';
import { StepQueue } from '../workers/step-queue.ts';
import { Catalogue, type Entry } from './catalogue/catalogue.ts';
import type { HeldReferences } from './backend.ts';
import { matchOf, searchIndexed } from './indexed-search.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { loadSavedIndex } from './load-saved-index.ts';
import { Saving, type SavingOptions } from './saving.ts';
import { withTerms } from './metadata-terms.ts';
import { changed } from './references.ts';
import type {
  ImageChange,
  Loading,
  Match,
  Matches,
  Page,
  Position,
  Restriction,
  Search,
  Status,
} from './references.ts';

/** Numbers that are looked up in one iteration of the event loop. */
const STEP = 20_000;

export interface EmbeddedParts {
  readonly images: ImageStore;
  readonly shards: Shards;
  /** Indexes are not saved if missing. */
  readonly saving?: SavingOptions;
}

/**
 * Reference pictures in the data folder and in memory of this process. The store is written first, so that what is
 * answered is durable; the catalogue decides which pictures exist. A picture that is in the index but not, or no longer,
 * in the catalogue is never shown.
 */
export class EmbeddedReferences implements HeldReferences {
  readonly #application: number;
  readonly #images: ImageStore;
  readonly #shards: Shards;
  #catalogue = new Catalogue();
  readonly #options: SavingOptions | undefined;
  readonly #saving: Saving | undefined;
  readonly #mutex = new KeyedMutex();
  /** Pictures that were added or removed. */
  #changes = 0;
  /** False for a type without references. */
  readonly #indexed: boolean;
  /** The number of pictures that the store has, 0 before `expect`; undefined once they are loaded. */
  #expected: number | undefined;
  #dropped = false;

  /** @param stored  whether the store may have pictures, which `expect` counts and `load` reads */
  constructor(record: ApplicationRecord, { images, shards, saving }: EmbeddedParts, { stored }: { stored: boolean }) {
    const { number, type, network } = record;
    this.#application = number;
    this.#options = saving;
    this.#saving = saving && new Saving(record, { images, shards }, saving, () => this.#catalogue);
    this.#images = images;
    this.#shards = shards;
    this.#indexed = typeDefinitions[type].traits.references;
    if (stored && this.#indexed) this.#expected = 0;
    // not awaited: calls reach the index in order, so whatever follows finds it open
    if (this.#indexed) shards.open(number, type, network, this.#recordsOf()).catch(() => {});
  }

  get loading(): Loading | undefined {
    return this.#expected === undefined ? undefined : { loaded: this.#catalogue.size, pictures: this.#expected };
  }

  async expect(): Promise<void> {
    if (this.#expected !== undefined) this.#expected = await this.#images.count(this.#application);
  }

  /**
   * Brings all pictures of the store: from the saved index, as far as it agrees with the store, and the others from their records.
   * @param progress  called now and then with the number of loaded pictures
   */
  async load(record: ApplicationRecord, progress: (loaded: number) => void): Promise<void> {
    const saving = this.#indexed && this.#expected! > 0 ? this.#options : undefined;
    const begun = saving && (await this.#restored(record, saving, progress));
    const read = begun ?? (await this.#replayed(record, progress));
    this.#expected = undefined;
    if (this.#indexed) this.#saving?.changed(read);
  }

  /** @returns the number of pictures that were read from their records */
  async #replayed({ type, network }: ApplicationRecord, progress: (loaded: number) => void): Promise<number> {
    for await (const records of this.#images.replay(this.#application, type, network)) {
      const images = records.map(({ number, dna }) => ({ image: number, dna }));
      if (this.#indexed) await this.#shards.add(this.#application, images);
      for (const record of records) this.#catalogue.stock(record);
      progress(this.#catalogue.size);
    }
    await new StepQueue().run(this.#application, () => this.#catalogue.arrange());
    return this.#catalogue.size;
  }

  /** @returns as `loadSavedIndex`; undefined also for an index that contradicts the store, of which nothing is left */
  async #restored(
    record: ApplicationRecord,
    saving: SavingOptions,
    progress: (loaded: number) => void,
  ): Promise<number | undefined> {
    const { number: application, type, network } = record;
    const parts = { images: this.#images, shards: this.#shards };
    try {
      return await loadSavedIndex(record, parts, saving, this.#catalogue, progress);
    } catch (cause) {
      if (this.#dropped) throw cause;
      saving.warn({ application, what: `its saved index is not used: ${(cause as Error).message}` });
      await saving.indexes.remove(application);
      this.#catalogue = new Catalogue();
      await this.#shards.drop(application);
      await this.#shards.open(application, type, network, this.#recordsOf());
      return undefined;
    }
  }

  /** Leaves the index. Work in progress fails with UNKNOWN_APPLICATION. */
  async drop(): Promise<void> {
    this.#dropped = true;
    if (this.#indexed) await this.#shards.drop(this.#application);
    await this.#saving?.drop();
  }

  async close(): Promise<void> {
    if (!this.loading) await this.#saving?.close();
  }

  add(image: NewImage): Promise<void> {
    return this.#mutex.run(image.id, async () => {
      if (this.#catalogue.withId(image.id)) throw fail('IMAGE_EXISTS', image.id);
      const stored = withTerms(image);
      const number = await this.#unlessDropped(this.#images.append(this.#application, stored));
      await this.#index(number, image.dna);
      this.#list(number, stored);
    });
  }

  delete(id: string): Promise<void> {
    return this.#mutex.run(id, async () => {
      const entry = this.#catalogue.withId(id);
      if (!entry) return this.#deleteDamaged(id);
      await this.#unlessDropped(this.#images.remove(this.#application, entry.number));
      this.#catalogue.remove(entry);
      this.#changes++;
      await this.#unlessDropped(this.#shards.remove(this.#application, entry.number));
      this.#saving?.changed();
    });
  }

  /** The picture gets a new number, so that the keywords of a number never change. */
  change(id: string, change: ImageChange): Promise<void> {
    return this.#mutex.run(id, async () => {
      const entry = this.#entry(id);
      const application = this.#application;
      const dna = await this.#unlessDropped(this.#images.dna(application, entry.number));
      const thumbnail = await this.#unlessDropped(this.#images.thumbnail(application, entry.number));
      const details = await this.#unlessDropped(this.#images.details(application, entry.number));
      const image = changed({ id, keywords: entry.keywords, dna, thumbnail, details }, change);
      const number = await this.#unlessDropped(this.#images.replace(application, entry.number, image));
      await this.#unlessDropped(this.#shards.add(application, [{ image: number, dna }]));
      this.#catalogue.remove(entry);
      this.#list(number, image);
      await this.#unlessDropped(this.#shards.remove(application, entry.number));
    });
  }

  async has(id: string): Promise<boolean> {
    return this.#catalogue.withId(id) !== undefined;
  }

  async present(ids: Iterable<string>): Promise<ReadonlySet<string>> {
    return new Set([...ids].filter((id) => this.#catalogue.withId(id)));
  }

  async image(id: string): Promise<Match> {
    return matchOf(this.#entry(id));
  }

  async dna(id: string): Promise<Uint8Array> {
    return this.#unlessDropped(this.#images.dna(this.#application, this.#entry(id).number));
  }

  async thumbnail(id: string): Promise<Uint8Array | undefined> {
    return this.#unlessDropped(this.#images.thumbnail(this.#application, this.#entry(id).number));
  }

  async details(id: string): Promise<Details | undefined> {
    return this.#unlessDropped(this.#images.details(this.#application, this.#entry(id).number));
  }

  async metadata(ids: readonly string[]): Promise<ReadonlyMap<string, Metadata>> {
    const read = async (id: string) => {
      const entry = this.#catalogue.withId(id);
      const details = entry && (await this.#unlessDropped(this.#images.details(this.#application, entry.number)));
      return details?.metadata ? [[id, details.metadata] as const] : [];
    };
    return new Map((await Promise.all(ids.map(read))).flat());
  }

  async revision(): Promise<string> {
    return String(this.#changes);
  }

  /** Positions are numbers of pictures. */
  async since(position: Position, count: number): Promise<{ position: Position; id: string }[]> {
    const found: { position: Position; id: string }[] = [];
    const behind = typeof position === 'number' ? position : 0;
    for (let next = behind + 1; next <= this.#catalogue.highest && found.length < count; next++) {
      if (next % STEP === 0) await new Promise(setImmediate); // other applications have numbers in between
      const entry = this.#catalogue.withNumber(next);
      if (entry) found.push({ position: next, id: entry.id });
    }
    return found;
  }

  async count(): Promise<number> {
    return this.#catalogue.size;
  }

  get damaged(): number {
    return this.#images.setAside(this.#application).reduce((sum, damage) => sum + recordsOf(damage), 0);
  }

  async status(): Promise<Status> {
    return this.#images.state;
  }

  async indexBytes(): Promise<number> {
    return this.#indexed ? (await this.#shards.size(this.#application)).bytes : 0;
  }

  async list(restriction: Restriction, page: Page, after?: string): Promise<Matches> {
    const { found, entries } = this.#catalogue.page(restriction, page, after);
    return { found, images: entries.map((entry) => matchOf(entry)) };
  }

  async latest(restriction: Restriction, page: Page): Promise<Matches> {
    const { found, entries } = this.#catalogue.latest(restriction, page);
    return { found, images: entries.map((entry) => matchOf(entry)) };
  }

  search(search: Search): Promise<Matches> {
    const pictures = { application: this.#application, shards: this.#shards, catalogue: this.#catalogue };
    return this.#unlessDropped(searchIndexed(pictures, search));
  }

  async explain(dna: Uint8Array, id: string): Promise<Explanation | undefined> {
    const entry = this.#catalogue.withId(id);
    return entry && this.#unlessDropped(this.#shards.explain(this.#application, dna, entry.number));
  }

  async palette(restriction: Restriction, colors: readonly number[]): Promise<Prevalent[]> {
    const only = this.#catalogue.select(restriction);
    return this.#unlessDropped(this.#shards.palette(this.#application, only, colors));
  }

  #list(number: ImageNumber, image: Pick<NewImage, 'id' | 'keywords' | 'dna'>): void {
    const { id, keywords } = image;
    this.#catalogue.add({ number, id, keywords, checksum: checksumOfImage(this.#application, number, image) });
    this.#changes++;
    this.#saving?.changed();
  }

  #entry(id: string): Entry {
    const entry = this.#catalogue.withId(id);
    if (!entry) throw fail('UNKNOWN_IMAGE', id);
    return entry;
  }

  async #index(image: ImageNumber, dna: Uint8Array): Promise<void> {
    try {
      await this.#unlessDropped(this.#shards.add(this.#application, [{ image, dna }]));
    } catch (cause) {
      await this.#images.remove(this.#application, image);
      throw cause;
    }
  }

  async #deleteDamaged(id: string): Promise<void> {
    const damages = this.#images.setAside(this.#application);
    const numbers = damages.flatMap((damage) => (damage.id === id ? (damage.number ?? []) : []));
    if (numbers.length === 0) {
      const nameless = damages.reduce((sum, damage) => sum + (damage.id === undefined ? recordsOf(damage) : 0), 0);
      const besides = nameless > 0 ? `; ${nameless} damaged pictures are set aside whose ids cannot be read` : '';
      throw fail('IMAGE_NOT_FOUND', `${id}${besides}`);
    }
    for (const number of numbers) await this.#unlessDropped(this.#images.remove(this.#application, number));
  }

  #recordsOf(): ((shard: number) => string) | undefined {
    const options = this.#options;
    return options && options.after > 0 ? options.indexes.recordsOf(this.#application) : undefined;
  }

  async #unlessDropped<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (cause) {
      if ((cause as { code?: unknown }).code === RECORD_DAMAGED) {
        await this.#options?.indexes.remove(this.#application); // so that the next start builds it anew
        this.#options?.damaged(cause as Error);
      }
      throw this.#dropped ? fail('UNKNOWN_APPLICATION') : cause;
    }
  }
}
