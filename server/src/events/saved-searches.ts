import { createHash } from 'node:crypto';
import type { Application } from '../applications/application.ts';
import { Catalogue } from '../applications/catalogue/catalogue.ts';
import { searchIgnoring } from '../applications/ignoring.ts';
import { searchIndexed } from '../applications/indexed-search.ts';
import { put, recordsNumber, remove, valueOf } from '../applications/records.ts';
import type { Match } from '../applications/references.ts';
import { fail } from '../errors.ts';
import type { Shards } from '../shards/shards.ts';
import type { ImageStore } from '../store/image-store.ts';
import type { NewEvent, NewImage } from '../store/store.ts';
import { decisions, SEARCH_KIND } from './stored.ts';
import type { SavedSearch, StoredSearch } from './stored.ts';

export const MAX_SAVED_SEARCHES = 10_000;

/** Events of one picture; saved searches beyond that match it less. */
const MAX_EVENTS_OF_PICTURE = 1000;

/** Records that are read at a time. */
const PAGE_SEARCHES = 256;

/** Partitions of saved searches come behind those of ignore lists, whose numbers are negative. */
const PARTITION_BASE = 2 ** 32;

export interface Parts {
  readonly images: Pick<
    ImageStore,
    'addEvents' | 'changeRecords' | 'lastRecord' | 'record' | 'records' | 'recordsAfter'
  >;
  readonly shards: () => Shards;
}

/**
 * The saved searches of an application, turned around: their pictures are the references of a partition of their own,
 * and each added picture is the query.
 */
export class SavedSearches {
  readonly #records: number;
  readonly #parts: Parts;
  readonly #catalogue = new Catalogue();
  readonly #searches = new Map<string, Watching>();
  #isIndexed = false;

  private constructor(application: Application, parts: Parts) {
    this.#records = recordsNumber(application);
    this.#parts = parts;
  }

  static async open(application: Application, parts: Parts): Promise<SavedSearches> {
    const opened = new SavedSearches(application, parts);
    for (let after = ''; ;) {
      const page = await parts.images.recordsAfter(opened.#records, SEARCH_KIND, after, PAGE_SEARCHES);
      if (page.length === 0) return opened; // a page without the damaged ones may be short
      await opened.#index(
        application,
        page.map((record) => [record.id, valueOf<StoredSearch>(record)]),
      );
      after = page.at(-1)!.id;
    }
  }

  get size(): number {
    return this.#searches.size;
  }

  has(id: string): boolean {
    return this.#searches.has(id);
  }

  /** Adds a search, or replaces the one with its id. Fails with SAVED_SEARCHES_FULL. */
  async save(application: Application, id: string, search: StoredSearch): Promise<void> {
    if (!this.has(id) && this.size >= MAX_SAVED_SEARCHES) {
      throw fail('SAVED_SEARCHES_FULL', `there are ${MAX_SAVED_SEARCHES}`);
    }
    await this.#parts.images.changeRecords(this.#records, [put(SEARCH_KIND, id, search)]);
    await this.#leaveOut(id);
    await this.#index(application, [[id, search]]);
  }

  /** Fails with UNKNOWN_SAVED_SEARCH. */
  async delete(id: string): Promise<void> {
    if (!this.has(id)) throw fail('UNKNOWN_SAVED_SEARCH', id);
    await this.#parts.images.changeRecords(this.#records, [remove(SEARCH_KIND, id)]);
    await this.#leaveOut(id);
  }

  /** With its picture. Fails with UNKNOWN_SAVED_SEARCH. */
  async get(id: string): Promise<StoredSearch> {
    const record = await this.#parts.images.record(this.#records, SEARCH_KIND, id);
    if (!record) throw fail('UNKNOWN_SAVED_SEARCH', id);
    return valueOf(record);
  }

  /** By id, with their pictures. */
  async list(page: {
    readonly start: number;
    readonly count: number;
  }): Promise<(StoredSearch & { readonly id: string })[]> {
    const { entries } = this.#catalogue.page({ keywords: [], ids: null }, page);
    const records = await Promise.all(
      entries.map(({ id }) => this.#parts.images.record(this.#records, SEARCH_KIND, id)),
    );
    return records.flatMap((record) => (record ? { id: record.id, ...valueOf<StoredSearch>(record) } : []));
  }

  /**
   * The events of a picture.
   * @param only  of this saved search alone, for a picture that was there before it
   */
  async eventsOf(
    application: Application,
    { id, keywords, dna }: Pick<NewImage, 'id' | 'keywords' | 'dna'>,
    only?: string,
  ): Promise<NewEvent[]> {
    if (this.size === 0) return [];
    const { defaults } = application;
    const partition = {
      application: this.#partition,
      shards: this.#parts.shards(),
      catalogue: this.#catalogue,
    };
    const { images } = await searchIgnoring(
      { search: (search) => searchIndexed(partition, search) },
      {
        dna,
        restriction: { keywords: [], ids: only === undefined ? null : [only] },
        page: { start: 0, count: MAX_EVENTS_OF_PICTURE },
        below: defaults.retrievalThreshold,
        colorWeight: defaults.colorWeight / 100,
      },
      { ignoring: await application.ignoring(dna) },
    );
    const at = new Date().toISOString();
    const pixels = application.nameOf(dna);
    return images.flatMap((match) => {
      const similarity = application.similarityOf(match);
      const saved = this.#searches.get(match.id);
      if (!isWanted(saved, match, similarity, keywords)) return [];
      const { id: search, score, resultInfo } = match;
      const info = resultInfo ? JSON.stringify(resultInfo) : '';
      const { of: watched } = saved;
      const event = { key: keyOf(search, pixels), search, watched, image: id, at, score, similarity, info };
      return { ...event, decision: decisionOf(match), ...(only !== undefined && { existing: true }) };
    });
  }

  /** Frees the memory of the index. */
  async drop(): Promise<void> {
    if (this.#isIndexed) await this.#parts.shards().drop(this.#partition);
  }

  get #partition(): number {
    return -PARTITION_BASE - this.#records;
  }

  async #index(application: Application, added: readonly (readonly [string, StoredSearch])[]): Promise<void> {
    const { type, record } = application;
    const shards = this.#parts.shards();
    if (!this.#isIndexed) await shards.open(this.#partition, type, record.network);
    this.#isIndexed = true;
    const next = this.#catalogue.highest + 1;
    const images = added.map(([, { dna }], i) => ({
      image: next + i,
      dna: new Uint8Array(Buffer.from(dna, 'base64')),
    }));
    await shards.add(this.#partition, images);
    for (const [i, [id, { dna: _, thumbnail: __, ...search }]] of added.entries()) {
      this.#catalogue.add({ number: next + i, id, keywords: [] });
      this.#searches.set(id, { ...search, of: search.of ?? application.nameOf(images[i]!.dna) });
    }
  }

  async #leaveOut(id: string): Promise<void> {
    const entry = this.#catalogue.withId(id);
    if (!entry) return;
    this.#searches.delete(id);
    this.#catalogue.remove(entry);
    await this.#parts.shards().remove(this.#partition, entry.number);
  }
}

/** A saved search without its picture, which is named. */
type Watching = SavedSearch & { readonly of: string };

/** Whether a match is an event of a search, which may have been deleted meanwhile. */
function isWanted(
  search: Watching | undefined,
  match: Match,
  similarity: number,
  keywords: readonly string[],
): search is Watching {
  if (!search || similarity < search.minSimilarity) return false;
  if (!search.keywords.every((each) => keywords.includes(each))) return false;
  if (search.decision === undefined) return true;
  const rank = decisions.indexOf(decisionOf(match));
  return rank >= 0 && rank <= decisions.indexOf(search.decision);
}

function decisionOf({ resultInfo }: Match): string {
  return resultInfo && 'decision' in resultInfo ? resultInfo.decision : '';
}

function keyOf(search: string, pixels: string): string {
  return createHash('sha256')
    .update(JSON.stringify([search, pixels]))
    .digest('base64url');
}
