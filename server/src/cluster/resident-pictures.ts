import type { Explanation, ImageNumber, Prevalent } from '@sosia/engine';
import { Catalogue } from '../applications/catalogue/catalogue.ts';
import { type IndexedPictures, searchIndexed } from '../applications/indexed-search.ts';
import type { Loading, Matches, Restriction, Search } from '../applications/references.ts';
import type { Shards } from '../shards/shards.ts';
import type { ApplicationRecord } from '../store/store.ts';
import type { Document } from './body.ts';
import type { Checkpoint } from './checkpoint.ts';
import { MARK_LIFE } from './upkeep.ts';
import type { Fields, Pictures } from './pictures.ts';
import { dnaQuery, PICTURES } from './search-query.ts';
import { bytesIn } from '../parameters/base64.ts';

/** Documents of a request. */
const BATCH = 1000;

/** The pictures as this process holds them. */
interface Held extends IndexedPictures {
  /** Of the index in the cluster. */
  readonly uuid: string;
  /** By the keys of their documents. */
  readonly numbers: Map<string, ImageNumber>;
  /** For each shard of the cluster the sequence number up to which all changes are held. */
  read: Readonly<Record<string, number>>;
  /** The sequence numbers of later changes that are held, by shard and key: another copy of the shard may show an earlier state. */
  readonly later: Map<string, Map<string, number>>;
  highest: ImageNumber;
  /** By `performance.now()`: when the changes were read last. */
  at: number;
}

/**
 * All pictures of an application in memory of this process, searched as those of a data folder. Every call first reads
 * what has changed in the cluster, so it sees what was confirmed by any node before it.
 */
export class ResidentPictures {
  readonly #record: ApplicationRecord;
  readonly #pictures: Pictures;
  readonly #shards: () => Shards;
  #held: Held | undefined;
  readonly #searches = new Set<Promise<unknown>>();
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Held> | undefined;
  #loading: Loading | undefined;

  /**
   * @param shards  of this process; others after a thread of the former ones has ended
   * @param stored  whether pictures may be there already, which `load` reads
   */
  constructor(record: ApplicationRecord, pictures: Pictures, shards: () => Shards, stored: boolean) {
    this.#record = record;
    this.#pictures = pictures;
    this.#shards = shards;
    if (stored) this.#loading = { loaded: 0, pictures: 0 };
  }

  /** While all pictures are read. */
  get loading(): Loading | undefined {
    return this.#loading;
  }

  /** @returns whether the cluster could give them; otherwise the next search tries again */
  load(): Promise<boolean> {
    return this.follow().then(
      () => true,
      () => false,
    );
  }

  /** In memory. */
  async bytes(): Promise<number> {
    return this.#held ? (await this.#held.shards.size(this.#held.application)).bytes : 0;
  }

  search(search: Search): Promise<Matches> {
    return this.#use((held) => searchIndexed(held, search));
  }

  explain(dna: Uint8Array, id: string): Promise<Explanation | undefined> {
    return this.#use(async ({ application, shards, catalogue }) => {
      const entry = catalogue.withId(id);
      return entry && shards.explain(application, dna, entry.number);
    });
  }

  palette(restriction: Restriction, colors: readonly number[]): Promise<Prevalent[]> {
    return this.#use(({ application, shards, catalogue }) =>
      shards.palette(application, catalogue.select(restriction), colors),
    );
  }

  /** Resolves when all is held that was confirmed before the call. Calls that wait share one reading. */
  follow(): Promise<Held> {
    const begin = (): Promise<Held> => {
      this.#next = undefined;
      const reading = this.#readChanges().finally(() => (this.#loading = undefined));
      this.#running = reading;
      return reading;
    };
    return (this.#next ??= this.#running.then(begin, begin));
  }

  async drop(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held) await held.shards.drop(held.application);
  }

  async #use<T>(call: (held: Held) => Promise<T>): Promise<T> {
    const work = call(await this.follow());
    this.#searches.add(work);
    return work.finally(() => this.#searches.delete(work));
  }

  async #readChanges(): Promise<Held> {
    const at = performance.now();
    const { uuid, shards, given } = await this.#pictures.checkpoint();
    const known = this.#held;
    // the marks of deleted pictures are removed after a while
    const isUsable = known?.uuid === uuid && known.shards === this.#shards() && at - known.at < MARK_LIFE / 2;
    const held = isUsable ? known : await this.#empty(uuid);
    if (!isUsable) this.#loading = { loaded: 0, pictures: await this.#pictures.count(PICTURES) };
    try {
      await this.#bringAll(held, shards, given);
    } catch (cause) {
      if (!isUsable) held.shards.drop(held.application).catch(() => {}); // its threads have ended
      throw cause;
    }
    held.read = shards;
    held.at = at;
    if (!isUsable) this.#replace(held);
    return held;
  }

  /**
   * @param shards  up to where all changes are shown by every copy
   * @param given   up to where some may be shown
   */
  async #bringAll(held: Held, shards: Checkpoint['shards'], given: Checkpoint['given']): Promise<void> {
    for (const [shard, last] of Object.entries(given)) {
      const later = held.later.get(shard) ?? new Map<string, number>();
      held.later.set(shard, later);
      for (let behind = held.read[shard] ?? -1; behind < last;) {
        const documents = await this.#pictures.documents(dnaQuery(behind, BATCH), shard);
        await bring(
          held,
          documents.filter(({ _id, _seq_no }) => _seq_no! > (later.get(_id) ?? -Infinity)),
        );
        for (const { _id, _seq_no } of documents)
          if (_seq_no! > shards[shard]!) later.set(_id, Math.max(_seq_no!, later.get(_id) ?? -Infinity));
        if (this.#loading) this.#loading = { ...this.#loading, loaded: held.catalogue.size };
        behind = documents.length < BATCH ? last : documents.at(-1)!._seq_no!;
      }
      for (const [key, at] of later) if (at <= shards[shard]!) later.delete(key);
    }
  }

  /** Under a number of its own, so that searches may end on the former ones. */
  async #empty(uuid: string): Promise<Held> {
    const { type, network } = this.#record;
    const shards = this.#shards();
    const application = ++opened;
    await shards.open(application, type, network);
    const catalogue = new Catalogue();
    return { application, shards, catalogue, uuid, numbers: new Map(), read: {}, later: new Map(), highest: 0, at: 0 };
  }

  #replace(held: Held): void {
    const former = this.#held;
    this.#held = held;
    if (!former) return;
    void Promise.allSettled(this.#searches)
      .then(() => former.shards.drop(former.application))
      .catch(() => {}); // its threads have ended
  }
}

/** Numbers in the shards that were given. */
let opened = 0;

/** Documents of pictures, and of marks of deleted ones, take the place of what is held of them. */
async function bring(held: Held, documents: readonly Document[]): Promise<void> {
  const { application, shards, catalogue, numbers } = held;
  const pictures = documents.flatMap(({ _id, _source, fields }) => {
    const { id, keywords } = (_source ?? {}) as Partial<Fields>;
    if (id === undefined) return [];
    return [{ key: _id, image: ++held.highest, id, keywords: keywords!, dna: bytesIn(fields!['dna']![0]!) }];
  });
  await shards.add(application, pictures);
  const former = documents.flatMap(({ _id }) => numbers.get(_id) ?? []);
  for (const number of former) catalogue.remove(catalogue.withNumber(number)!);
  for (const { _id } of documents) numbers.delete(_id);
  for (const { key, image, id, keywords } of pictures) {
    numbers.set(key, image);
    catalogue.add({ number: image, id, keywords });
  }
  await Promise.all(former.map((number) => shards.remove(application, number)));
}
