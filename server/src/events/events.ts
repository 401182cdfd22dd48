import type { ShownHashList } from '@sosia/contract';
import type { Application, PictureToHash } from '../applications/application.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { recordsNumber } from '../applications/records.ts';
import { KeyedMutex } from '../applications/keyed-mutex.ts';
import { fail, unless } from '../errors.ts';
import type { NewEvent, NewEvents, NewImage, StoredEvent } from '../store/store.ts';
import { Backlogs, type Backlog } from './backlog.ts';
import { eventsAfter, latestEvent } from '../store/event-records.ts';
import { HashLists } from './hash-lists.ts';
import { withOrigins } from './origins.ts';
import { Pause } from '../workers/pause.ts';
import { SavedSearches } from './saved-searches.ts';
import type { Parts } from './saved-searches.ts';
import { HASHES_KIND, PAGE_EVENTS, SEARCH_KIND, type StoredSearch, type WatchedApplication } from './stored.ts';
import { requireComparable, watchedBy, watchedOr } from './watched.ts';
import { bytesIn } from '../parameters/base64.ts';

/** Pictures that are there already for which a new search makes events, the best first. */
const MAX_EXISTING_PICTURES = 200;

/** Milliseconds without events after which a follower gets an empty page. */
const IDLE_MS = 5000;

/** Milliseconds in which every process takes what another one has saved. */
const REFRESH_MS = 1000;

export interface WatchedPicture {
  readonly application: Application;
  readonly image: string;
}

interface Watched {
  readonly searches: SavedSearches;
  readonly hashes: HashLists;
  /** Additions between their search and their commit. */
  readonly adding: Set<Promise<unknown>>;
  /** Up to where the records were read, and when, by the clock of `performance`. */
  seen: number;
  seenAt: number;
}

/** The saved searches and lists of hashes of all applications, each opened by the first addition or call, and their events. */
export class Events {
  readonly #parts: Parts;
  readonly #open = new Map<number, Promise<Watched>>();
  readonly #changes = new KeyedMutex();
  readonly #refreshes = new KeyedMutex();
  readonly #notice: (application: Application) => void;
  readonly #failed: (cause: unknown) => void;
  readonly #backlogs: Backlogs;
  /** With the number of the records that each one waits for. */
  readonly #followers = new Set<readonly [records: number, pause: Pause]>();

  /**
   * @param notice  called after the commit of events
   * @param failed  called when the work in the background ended with a fault; it continues
   */
  constructor(parts: Parts, notice: (application: Application) => void, failed: (cause: unknown) => void) {
    this.#parts = parts;
    const compare = (application: Application, search: string, image: string) =>
      this.#compare(application, search, image);
    this.#failed = failed;
    this.#backlogs = new Backlogs({ records: parts.records, compare, failed });
    this.#notice = (application) => {
      for (const [records, pause] of this.#followers) if (records === recordsNumber(application)) pause.end();
      notice(application);
    };
  }

  /** Indexes what is saved, before the first addition waits for it; where that fails, the next call tries again. */
  async load(applications: readonly Application[]): Promise<void> {
    for (const each of applications) {
      if (this.appliesTo(each)) await this.#of(each).catch(() => {});
    }
  }

  /** Compares what was left to be compared. @param applications  those of the moment */
  resume(applications: () => readonly Application[]): void {
    this.#backlogs.start(applications);
  }

  async close(): Promise<void> {
    await this.#backlogs.close();
  }

  /** What a saved search has still to compare of the pictures before it. */
  async backlogOf(application: Application, id: string): Promise<Backlog | undefined> {
    return this.#backlogs.of(application, id);
  }

  /** Whether an application can have saved searches and lists of hashes. */
  appliesTo({ traits }: Application): boolean {
    return traits.symmetric && traits.references;
  }

  /**
   * Adds a picture; the events that it causes are part of its commit. Fails as `References.add` does.
   * @param sent  the file of the picture, if it is there: lists of hashes are compared with it
   */
  async add(application: Application, image: NewImage, sent?: PictureToHash): Promise<void> {
    const { references } = application;
    if (!this.appliesTo(application)) return references.add(image);
    const { searches, hashes, adding } = await this.#of(application);
    const added = (async () => {
      const events = await searches.eventsOf(application, image);
      if (sent && hashes.size > 0) {
        const pdq = sent.pdq ?? (await application.pdq(sent.file)); // the first list may be saved since the picture was decoded
        events.push(...hashes.eventsOf(application, image, pdq));
      }
      const caused = await this.#caused(application, events);
      await references.add(events.length > 0 ? { ...image, events: caused } : image);
      if (events.length > 0) void this.#collect(application).then(() => this.#notice(application), this.#failed);
    })();
    adding.add(added);
    try {
      await added;
    } finally {
      adding.delete(added);
    }
  }

  /**
   * From the answer on, every picture that is added is compared with the search. Replaces a search with the same id.
   * @param existing  whether pictures that are there already cause events, too; for those of another application in the background
   * @returns the number of their events until now
   */
  save(application: Application, id: string, search: StoredSearch, existing: boolean): Promise<number> {
    return this.#change(application, async ({ searches, adding }) => {
      await searches.save(application, id, search, existing && search.application !== undefined);
      await this.#everywhere();
      await Promise.allSettled(adding); // some of them have not seen the search
      this.#backlogs.notice();
      return existing && !search.application ? this.#existing(application, id, search) : 0;
    });
  }

  delete(application: Application, id: string): Promise<number> {
    return this.#change(application, async ({ searches }) => {
      await searches.delete(id);
      return searches.size;
    });
  }

  async searchesOf(application: Application): Promise<SavedSearches> {
    return (await this.#of(application)).searches;
  }

  async hashesOf(application: Application): Promise<HashLists> {
    return (await this.#of(application)).hashes;
  }

  /** From the answer on, every picture that is added is compared with the list. Fails as `HashLists.save`. */
  saveHashes(application: Application, ...list: Parameters<HashLists['save']>): Promise<ShownHashList> {
    return this.#change(application, async ({ hashes, adding }) => {
      const saved = await hashes.save(...list);
      await this.#everywhere();
      await Promise.allSettled(adding); // some of them have not seen the list
      return saved;
    });
  }

  async hasHashes(application: Application): Promise<boolean> {
    return this.appliesTo(application) && (await this.hashesOf(application)).size > 0;
  }

  deleteHashes(application: Application, id: string): Promise<number> {
    return this.#change(application, async ({ hashes }) => {
      await hashes.delete(id);
      return hashes.size;
    });
  }

  /** What to save of the application of a key, see `watchedBy`. Fails as `requireComparable`, too. */
  watching(application: Application, keyDigest: string): WatchedApplication {
    const watched = watchedBy(this.#parts.caller, keyDigest);
    requireComparable(application, watched);
    return { name: watched.name, key: keyDigest };
  }

  /** Why a saved search does not look at the application that it names. */
  faultOf({ application }: StoredSearch): string | undefined {
    const watched = application && watchedOr(this.#parts.caller, application.key);
    return typeof watched === 'string' ? watched : undefined;
  }

  /** The picture of another application that an event names, as long as it is there and the key valid. */
  async watchedPicture(application: Application, number: number): Promise<WatchedPicture | undefined> {
    const [event] = await eventsAfter(this.#parts.records, recordsNumber(application), number - 1, 1);
    if (event?.number !== number || !event.watchedIn) return undefined;
    const { key, image } = event.watchedIn;
    const watched = watchedOr(this.#parts.caller, key);
    if (typeof watched === 'string') return undefined;
    const dna = await watched.references.dna(image).catch(() => undefined);
    return dna && watched.nameOf(dna) === event.watched ? { application: watched, image } : undefined;
  }

  /** A small JPEG of the picture of a saved search. Fails with UNKNOWN_SAVED_SEARCH. */
  async thumbnail(application: Application, id: string): Promise<Uint8Array | undefined> {
    const { thumbnail } = await (await this.searchesOf(application)).get(id);
    return thumbnail === undefined ? undefined : bytesIn(thumbnail);
  }

  /** Those behind a number, in the order of the commits. */
  async after(application: Application, number: number, count: number): Promise<StoredEvent[]> {
    await this.#collect(application);
    return eventsAfter(this.#parts.records, recordsNumber(application), number, count);
  }

  /** The number of the latest event; 0 where there is none. */
  async latest(application: Application): Promise<number> {
    await this.#collect(application);
    return latestEvent(this.#parts.records, recordsNumber(application));
  }

  /** Pages of the events behind a number, then of those to come; an empty one where there are none for a while. */
  async *follow(application: Application, number: number, signal: AbortSignal): AsyncGenerator<StoredEvent[]> {
    const pause = new Pause();
    const follower = [recordsNumber(application), pause] as const;
    this.#followers.add(follower);
    signal.addEventListener('abort', pause.end);
    try {
      let yielded = -Infinity;
      const look = this.#parts.records.shared ? REFRESH_MS : IDLE_MS; // other processes add, too
      for (let last = number; !signal.aborted;) {
        const page = await this.after(application, last, PAGE_EVENTS);
        if (page.length > 0 || performance.now() - yielded > IDLE_MS - look) {
          yield page;
          yielded = performance.now();
        }
        last = page.at(-1)?.number ?? last;
        if (page.length === 0) await pause.wait(look);
      }
    } finally {
      this.#followers.delete(follower);
    }
  }

  /** Frees the memory of a deleted application. */
  async forget(application: Application): Promise<void> {
    const number = recordsNumber(application);
    const open = this.#open.get(number);
    this.#open.delete(number);
    await (await open)?.searches.drop();
  }

  /** One change of what an application watches at a time. */
  #change<T>(application: Application, work: (watched: Watched) => Promise<T>): Promise<T> {
    return this.#changes.run(String(recordsNumber(application)), async () => work(await this.#of(application)));
  }

  /** Numbers the events that additions have left, see `EventStore`; where another process is about to for long, they come later. */
  async #collect(application: Application): Promise<void> {
    const of = { records: recordsNumber(application), pictures: application.record.number };
    await unless('OVERLOADED', this.#parts.records.collectEvents(of));
  }

  /** Resolves when every process knows what this one has saved. */
  async #everywhere(): Promise<void> {
    if (this.#parts.records.shared) await pause(REFRESH_MS);
  }

  /** As stored, where other processes may change it as stored a second ago. Fails with DOES_NOT_APPLY. */
  async #of(application: Application): Promise<Watched> {
    const watched = await this.#opened(application);
    const { records } = this.#parts;
    const isFresh = (): boolean => !records.shared || performance.now() - watched.seenAt < REFRESH_MS;
    if (isFresh()) return watched;
    return this.#refreshes.run(String(recordsNumber(application)), async () => {
      if (isFresh()) return watched; // by a call before this one
      const begun = performance.now();
      const kinds = [SEARCH_KIND, HASHES_KIND];
      const { changes, at } = await records.changed(recordsNumber(application), kinds, watched.seen);
      for (const change of changes)
        await (change.kind === SEARCH_KIND ? watched.searches.take(application, change) : watched.hashes.take(change));
      watched.seen = at;
      watched.seenAt = begun;
      return watched;
    });
  }

  #opened(application: Application): Promise<Watched> {
    const { traits } = application;
    const { records } = this.#parts;
    if (!traits.symmetric || !traits.references) {
      throw fail('DOES_NOT_APPLY', `a saved search or a list of hashes of ${traits.title}`);
    }
    const number = recordsNumber(application);
    let opened = this.#open.get(number);
    if (!opened) {
      opened = (async () => {
        const [seenAt, seen] = [performance.now(), await records.position(number)];
        const searches = await SavedSearches.open(application, this.#parts);
        const hashes = await HashLists.open(application, records);
        return { searches, hashes, adding: new Set<Promise<unknown>>(), seen, seenAt };
      })();
      this.#open.set(number, opened);
      opened.catch(() => this.#open.delete(number));
    }
    return opened;
  }

  async #caused(application: Application, events: readonly NewEvent[]): Promise<NewEvents> {
    const located = await withOrigins(application, events, this.#parts.caller);
    return { application: recordsNumber(application), events: located };
  }

  async #existing(application: Application, id: string, { dna = '', keywords, of }: StoredSearch): Promise<number> {
    const { references, defaults } = application;
    const { images } = await references.search({
      dna: bytesIn(dna),
      restriction: { keywords, ids: null },
      page: { start: 0, count: MAX_EXISTING_PICTURES },
      below: defaults.retrievalThreshold,
      colorWeight: defaults.colorWeight / 100,
    });
    let added = 0;
    for (const image of images) if (image.id !== of) added += await this.#compare(application, id, image.id);
    return added;
  }

  /** Compares a picture that is there already with a saved search. @returns the number of events */
  async #compare(application: Application, search: string, image: string): Promise<number> {
    const { references } = application;
    const { searches } = await this.#of(application);
    const known = await unless('UNKNOWN_IMAGE', Promise.all([references.image(image), references.dna(image)]));
    if (!known) return 0; // removed meanwhile
    const [{ id, keywords }, dna] = known;
    const metadata = (await references.metadata([id])).get(id);
    const events = await searches.eventsOf(application, { id, keywords, dna, details: { metadata } }, search);
    const added = await this.#parts.records.addEvents(await this.#caused(application, events));
    if (added > 0) this.#notice(application);
    return added;
  }
}
