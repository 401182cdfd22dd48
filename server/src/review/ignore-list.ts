import type { IgnoredPicture } from '@sosia/contract';
import { matchedRegions, withoutRegions, type QueryRegion } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import type { Ignoring } from '../applications/ignoring.ts';
import { put, remove, valueIn } from '../applications/records.ts';
import { fail } from '../errors.ts';
import type { Shards } from '../shards/shards.ts';
import type { NewImage, SharedRecords } from '../store/store.ts';
import { kinds, type Ignored } from './stored.ts';
import { base64, bytesIn } from '../parameters/base64.ts';

/** Pictures of an ignore list; every search looks for each of them. */
const MAX_IGNORED_PICTURES = 200;
/** Copies of one picture that are found in a query one after the other. */
const MAX_COPIES_IN_QUERY = 4;
/** Milliseconds after which a search looks for changes by other processes. */
const REFRESH_MS = 1000;

/** The pictures by which an application never matches. They are indexed beside its references. */
export class IgnoreList {
  readonly #number: number;
  readonly #type: Application['type'];
  readonly #records: SharedRecords;
  readonly #openShards: () => Shards;
  readonly #pictures = new Map<string, Ignored>();
  /** Ids by the number in the index, from 1; undefined where removed. */
  readonly #ids: (string | undefined)[] = [undefined];
  #indexed = false;
  /** Up to where the records are read, and when, by the clock of `performance`. */
  #seen: number | undefined;
  #seenAt = 0;
  #changing: Promise<unknown> = Promise.resolve();

  private constructor(number: number, type: Application['type'], { records, shards }: Parts) {
    this.#number = number;
    this.#type = type;
    this.#records = records;
    this.#openShards = shards;
  }

  /** @param number  that of the records */
  static async open({ type }: Application, number: number, parts: Parts): Promise<IgnoreList> {
    const list = new IgnoreList(number, type, parts);
    await list.refresh();
    return list;
  }

  /** Reads what other processes have changed. @param age  milliseconds for which an earlier reading is enough */
  async refresh(age = 0): Promise<void> {
    const isFresh = () => this.#seen !== undefined && performance.now() - this.#seenAt < age;
    if (isFresh()) return;
    await this.#exclusively(async () => {
      if (isFresh()) return; // by a call before this one
      const begun = performance.now();
      const { changes, at } = await this.#records.changed(this.#number, [kinds.ignored], this.#seen);
      for (const { id, body } of changes) {
        if (body) await this.#index(id, valueIn<Ignored>(body));
        else await this.#leaveOut(id);
      }
      this.#seen = at;
      this.#seenAt = begun;
    });
  }

  get size(): number {
    return this.#pictures.size;
  }

  /** Fails with IMAGE_EXISTS, and with IGNORE_LIST_FULL. */
  async add({ id, dna, thumbnail, details }: Omit<NewImage, 'keywords'>, who: string): Promise<IgnoredPicture> {
    const { width = null, height = null } = details ?? {};
    const picture: Ignored = {
      dna: base64(dna),
      width,
      height,
      added: new Date().toISOString(),
      who,
      ...(thumbnail && { thumbnail: base64(thumbnail) }),
    };
    return this.#records.exclusively(this.#number, async () => {
      await this.refresh();
      if (this.#pictures.has(id)) throw fail('IMAGE_EXISTS', id);
      if (this.size >= MAX_IGNORED_PICTURES) throw fail('IGNORE_LIST_FULL', `it has ${MAX_IGNORED_PICTURES} pictures`);
      await this.#records.changeRecords(this.#number, [{ ...put(kinds.ignored, id, picture), expected: 0 }]);
      await this.#exclusively(() => this.#index(id, picture));
      return shownOf(id, picture, {});
    });
  }

  /** Fails with UNKNOWN_IGNORED. */
  async delete(id: string): Promise<void> {
    await this.#records.exclusively(this.#number, async () => {
      await this.refresh();
      if (!this.#pictures.has(id)) throw fail('UNKNOWN_IGNORED', id);
      await this.#records.changeRecords(this.#number, [remove(kinds.ignored, id)]);
      await this.#exclusively(() => this.#leaveOut(id));
    });
  }

  /** By id. */
  list(
    { start, count }: { start: number; count: number },
    parts: { dna: boolean; thumbnails: boolean },
  ): IgnoredPicture[] {
    const sorted = [...this.#pictures].sort(([a], [b]) => (a < b ? -1 : 1)).slice(start, start + count);
    return sorted.map(([id, picture]) => shownOf(id, picture, parts));
  }

  /** Looks for the pictures of the list in a query; undefined where it shows none. */
  async look(query: Uint8Array): Promise<Ignoring | undefined> {
    await this.refresh(REFRESH_MS);
    if (this.size === 0) return undefined;
    const shown = new Set<string>();
    const regions: QueryRegion[] = [];
    let rest: Uint8Array | undefined = query;
    for (let round = 0; round < MAX_COPIES_IN_QUERY && rest; round++) {
      const { hits } = await this.#shards.search({
        application: this.#partition,
        query: rest,
        only: null,
        pictures: this.#ids.length,
        compare: (a, b) => a - b,
        exists: (number) => this.#ids[number] !== undefined,
        window: { below: 1, start: 0, count: MAX_IGNORED_PICTURES },
        options: { colorWeight: 0 },
      });
      const found = hits.map(({ image, resultInfo }) => ({ id: this.#ids[image]!, at: matchedRegions(resultInfo) }));
      const covering = found.filter(({ at }) => at.length > 0);
      if (covering.length === 0) break;
      for (const { id, at } of covering) {
        shown.add(id);
        regions.push(...at);
      }
      rest = withoutRegions(query, regions);
    }
    return shown.size > 0 ? { shown: [...shown].sort((a, b) => (a < b ? -1 : 1)), rest } : undefined;
  }

  /** Frees the memory of the index. */
  async drop(): Promise<void> {
    if (this.#indexed) await this.#shards.drop(this.#partition);
  }

  get #shards(): Shards {
    return this.#openShards();
  }

  /** A partition beside that of the application, whose number is positive. */
  get #partition(): number {
    return -this.#number;
  }

  /** Changes of the index run one after another. */
  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => {});
    return done;
  }

  async #index(id: string, picture: Ignored): Promise<void> {
    if (JSON.stringify(this.#pictures.get(id)) === JSON.stringify(picture)) return; // added by this process
    await this.#leaveOut(id);
    if (!this.#indexed) await this.#shards.open(this.#partition, this.#type);
    this.#indexed = true;
    await this.#shards.add(this.#partition, [{ image: this.#ids.length, dna: bytesIn(picture.dna) }]);
    this.#ids.push(id);
    this.#pictures.set(id, picture);
  }

  async #leaveOut(id: string): Promise<void> {
    if (!this.#pictures.delete(id)) return;
    const number = this.#ids.indexOf(id);
    this.#ids[number] = undefined;
    await this.#shards.remove(this.#partition, number);
  }
}

export interface Parts {
  readonly records: SharedRecords;
  /** Made by the first list. */
  readonly shards: () => Shards;
}

function shownOf(
  id: string,
  { dna, thumbnail, width, height, added, who }: Ignored,
  parts: { dna?: boolean; thumbnails?: boolean },
): IgnoredPicture {
  return {
    id,
    width,
    height,
    added,
    who,
    ...(parts.dna && { dna }),
    ...(parts.thumbnails && thumbnail !== undefined && { thumbnail }),
  };
}
