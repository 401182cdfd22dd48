import type { Application } from '../applications/application.ts';
import { Catalogue } from '../applications/catalogue/catalogue.ts';
import { searchIgnoring } from '../applications/ignoring.ts';
import type { IgnoringOptions } from '../applications/ignoring.ts';
import { searchIndexed } from '../applications/indexed-search.ts';
import { hasAll, wantedOf, withTerms } from '../applications/metadata-terms.ts';
import { put, recordsNumber, remove, valueIn, valueOf } from '../applications/records.ts';
import { textOf } from '../applications/references.ts';
import type { Match, Search } from '../applications/references.ts';
import { fail } from '../errors.ts';
import type { Shards } from '../shards/shards.ts';
import type { EventStore, NewEvent, NewImage, RecordChange } from '../store/store.ts';
import { backlogChange } from './backlog.ts';
import { decisions, keyOf, SEARCH_KIND } from './stored.ts';
import type { SavedSearch, StoredSearch } from './stored.ts';
import { watchedOr } from './watched.ts';
import type { FindCaller } from './watched.ts';
import { bytesIn } from '../parameters/base64.ts';

export const MAX_SAVED_SEARCHES = 10_000;

/** Those for the pictures of an application: each is a search in it. */
const MAX_WATCHED_APPLICATIONS = 16;

/** Events of one picture; saved searches beyond that match it less. */
const MAX_EVENTS_OF_PICTURE = 1000;

/** Records that are read at a time. */
const PAGE_SEARCHES = 256;

/** Partitions of saved searches come behind those of ignore lists, whose numbers are negative. */
const PARTITION_BASE = 2 ** 32;

export interface Parts {
  readonly records: EventStore;
  readonly shards: () => Shards;
  readonly caller: FindCaller;
}

/**
 * The saved searches of an application, turned around: their pictures are the references of a partition of their own,
 * and each added picture is the query. Where every picture of another application is searched for, the partition is that of
 * the application.
 */
export class SavedSearches {
  readonly #records: number;
  readonly #parts: Parts;
  readonly #catalogue = new Catalogue();
  readonly #searches = new Map<string, Watching>();
  /** Those of `#searches` that have no picture in the partition. */
  readonly #ofApplications = new Map<string, Watching>();
  #isIndexed = false;

  private constructor(application: Application, parts: Parts) {
    this.#records = recordsNumber(application);
    this.#parts = parts;
  }

  static async open(application: Application, parts: Parts): Promise<SavedSearches> {
    const opened = new SavedSearches(application, parts);
    for (let after = ''; ;) {
      const page = await parts.records.recordsAfter(opened.#records, SEARCH_KIND, after, PAGE_SEARCHES);
      if (page.length === 0) return opened; // a page without the damaged ones may be short
      await opened.#index(
        application,
        page.map((record) => [record.id, valueOf<StoredSearch>(record)]),
      );
      after = page.at(-1)!.id;
    }
  }

  /** Takes what another process has changed. */
  async take(application: Application, { id, body }: Pick<RecordChange, 'id' | 'body'>): Promise<void> {
    const search = body && valueIn<StoredSearch>(body);
    const known = this.#searches.get(id);
    if (known && known.added === search?.added) return; // by this process
    await this.#leaveOut(id);
    if (search) await this.#index(application, [[id, search]]);
  }

  get size(): number {
    return this.#searches.size;
  }

  has(id: string): boolean {
    return this.#searches.has(id);
  }

  /**
   * Adds a search, or replaces the one with its id. Fails with SAVED_SEARCHES_FULL.
   * @param backlog  whether its backlog begins, see `Backlogs`
   */
  async save(application: Application, id: string, search: StoredSearch, backlog: boolean): Promise<void> {
    if (!this.has(id) && this.size >= MAX_SAVED_SEARCHES) {
      throw fail('SAVED_SEARCHES_FULL', `there are ${MAX_SAVED_SEARCHES}`);
    }
    const watching = this.#ofApplications;
    if (search.application && !watching.has(id) && watching.size >= MAX_WATCHED_APPLICATIONS) {
      throw fail('SAVED_SEARCHES_FULL', `there are ${MAX_WATCHED_APPLICATIONS} for the pictures of applications`);
    }
    await this.#parts.records.changeRecords(this.#records, [put(SEARCH_KIND, id, search), backlogChange(id, backlog)]);
    await this.#leaveOut(id);
    await this.#index(application, [[id, search]]);
  }

  /** Fails with UNKNOWN_SAVED_SEARCH. */
  async delete(id: string): Promise<void> {
    if (!this.has(id)) throw fail('UNKNOWN_SAVED_SEARCH', id);
    await this.#parts.records.changeRecords(this.#records, [remove(SEARCH_KIND, id), backlogChange(id, false)]);
    await this.#leaveOut(id);
  }

  /** With its picture. Fails with UNKNOWN_SAVED_SEARCH. */
  async get(id: string): Promise<StoredSearch> {
    const record = await this.#parts.records.record(this.#records, SEARCH_KIND, id);
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
      entries.map(({ id }) => this.#parts.records.record(this.#records, SEARCH_KIND, id)),
    );
    return records.flatMap((record) => (record ? { id: record.id, ...valueOf<StoredSearch>(record) } : []));
  }

  /**
   * The events of a picture.
   * @param only  of this saved search alone, for a picture that was there before it
   */
  async eventsOf(
    application: Application,
    image: Pick<NewImage, 'id' | 'keywords' | 'dna' | 'details'>,
    only?: string,
  ): Promise<NewEvent[]> {
    if (this.size === 0) return [];
    const { id, keywords, dna } = withTerms(image);
    const { defaults } = application;
    const query: Search = {
      dna,
      restriction: { keywords: [], ids: only === undefined || this.#ofApplications.has(only) ? null : [only] },
      page: { start: 0, count: MAX_EVENTS_OF_PICTURE },
      below: defaults.retrievalThreshold,
      colorWeight: defaults.colorWeight / 100,
    };
    const given = { application, query, keywords, options: { ignoring: await application.ignoring(dna) } };
    const found = only !== undefined && this.#ofApplications.has(only) ? [] : await this.#found(given);
    for (const watching of this.#ofApplications)
      if (only === undefined || only === watching[0]) found.push(...(await this.#foundIn(watching, given)));
    const at = new Date().toISOString();
    const pixels = application.nameOf(dna);
    const events = new Map<string, NewEvent>();
    for (const { search, watched, watchedIn, match, similarity } of found.slice(0, MAX_EVENTS_OF_PICTURE)) {
      const { score, resultInfo } = match;
      const info = resultInfo ? JSON.stringify(resultInfo) : '';
      const key = watchedIn ? keyOf(search, pixels, watched) : keyOf(search, pixels);
      if (events.has(key)) continue; // another picture of the same pixels
      const event = { key, search, watched, ...(watchedIn && { watchedIn }), image: id, at, score, similarity, info };
      events.set(key, { ...event, decision: decisionOf(match), ...(only !== undefined && { existing: true }) });
    }
    return [...events.values()];
  }

  /** Saved pictures that a picture matches. */
  async #found({ application, query, keywords, options }: Given): Promise<Found[]> {
    if (this.size === this.#ofApplications.size) return [];
    const partition = { application: this.#partition, shards: this.#parts.shards(), catalogue: this.#catalogue };
    const saved = { search: (search: Search) => searchIndexed(partition, search) };
    const { images } = await searchIgnoring(saved, query, options);
    return images.flatMap((match) => {
      const similarity = application.similarityOf(match);
      const search = this.#searches.get(match.id);
      if (!isWanted(search, match, similarity, keywords)) return [];
      return { search: match.id, watched: search.of, match, similarity };
    });
  }

  /** Pictures of a watched application that a picture matches. Fails with LOADING. */
  async #foundIn([search, conditions]: [string, Watching], given: Given): Promise<Found[]> {
    const { key } = conditions.application!;
    const watched = watchedOr(this.#parts.caller, key);
    if (typeof watched === 'string' || !meets(given.keywords, conditions)) return [];
    const { name, references } = watched;
    if (references.loading)
      throw fail('LOADING', `${name}, whose pictures are searched for: ${textOf(references.loading)}`);
    try {
      const { images } = await searchIgnoring(references, given.query, given.options);
      const found = images.map(async (match) => {
        const similarity = given.application.similarityOf(match);
        if (!isWanted(conditions, match, similarity, given.keywords)) return [];
        const dna = await references.dna(match.id).catch(() => undefined); // removed meanwhile
        if (!dna) return [];
        const watchedIn = { application: name, key, image: match.id };
        return { search, watched: watched.nameOf(dna), watchedIn, match, similarity };
      });
      return (await Promise.all(found)).flat();
    } catch (cause) {
      if (watchedOr(this.#parts.caller, key) === watched) throw cause;
      return []; // deleted, emptied or closed to this key meanwhile
    }
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
    const images = added.flatMap(([, { dna }], i) => (dna === undefined ? [] : { image: next + i, dna: bytesIn(dna) }));
    await shards.add(this.#partition, images);
    const dnas = new Map(images.map(({ image, dna }) => [image, dna]));
    for (const [i, [id, { dna: _, thumbnail: __, ...search }]] of added.entries()) {
      const dna = dnas.get(next + i);
      const watching = { ...search, of: search.of ?? (dna ? application.nameOf(dna) : '') };
      this.#catalogue.add({ number: next + i, id, keywords: [] });
      this.#searches.set(id, watching);
      if (!dna) this.#ofApplications.set(id, watching);
    }
  }

  async #leaveOut(id: string): Promise<void> {
    const entry = this.#catalogue.withId(id);
    if (!entry) return;
    this.#searches.delete(id);
    this.#catalogue.remove(entry);
    if (this.#ofApplications.delete(id)) return;
    await this.#parts.shards().remove(this.#partition, entry.number);
  }
}

/** A saved search without its picture, which is named; empty for the pictures of an application. */
type Watching = SavedSearch & { readonly of: string };

/** A picture as a query. */
interface Given {
  readonly application: Application;
  readonly query: Search;
  /** With the terms of its metadata. */
  readonly keywords: readonly string[];
  readonly options: IgnoringOptions;
}

interface Found extends Pick<NewEvent, 'search' | 'watched' | 'watchedIn' | 'similarity'> {
  readonly match: Match;
}

/** Whether a match is an event of a search, which may have been deleted meanwhile. */
function isWanted(
  search: Watching | undefined,
  match: Match,
  similarity: number,
  keywords: readonly string[],
): search is Watching {
  if (!search || similarity < search.minSimilarity) return false;
  if (!meets(keywords, search)) return false;
  if (search.relation !== undefined && search.relation !== relationOf(match)) return false;
  if (search.decision === undefined) return true;
  const rank = decisions.indexOf(decisionOf(match));
  return rank >= 0 && rank <= decisions.indexOf(search.decision);
}

/** @param own  keywords of a picture, with the terms of its metadata */
function meets(own: readonly string[], { keywords, where = [] }: SavedSearch): boolean {
  return hasAll(own, wantedOf(keywords, where));
}

function relationOf({ resultInfo }: Match): string | undefined {
  return resultInfo && 'relation' in resultInfo ? resultInfo.relation : undefined;
}

function decisionOf({ resultInfo }: Match): string {
  return resultInfo && 'decision' in resultInfo ? resultInfo.decision : '';
}
