import type { IgnoredPicture } from '@sosia/contract';
import { placesOf, withoutPlaces } from '@sosia/engine';
import type { Place } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import type { Ignoring } from '../applications/ignoring.ts';
import type { NewReference } from '../applications/references.ts';
import { fail } from '../errors.ts';
import type { Shards } from '../shards/shards.ts';
import type { RecordStore } from '../store/store.ts';
import { base64, bytesIn, kinds, put, remove, valueOf } from './stored.ts';
import type { Ignored } from './stored.ts';

/** Pictures of an ignore list; every search looks for each of them. */
const MOST = 200;
/** Copies of one picture that are found in a query one after the other. */
const ROUNDS = 4;

/** The pictures by which an application never matches. They are indexed beside its references. */
export class IgnoreList {
  readonly #number: number;
  readonly #records: RecordStore;
  readonly #shards: Shards;
  readonly #pictures = new Map<string, Ignored>();
  /** Ids by the number in the index, from 1; undefined where removed. */
  readonly #ids: (string | undefined)[] = [undefined];
  #indexed = false;

  private constructor(number: number, records: RecordStore, shards: Shards) {
    this.#number = number;
    this.#records = records;
    this.#shards = shards;
  }

  /** @param number  that of the records */
  static async open(
    { type }: Application,
    number: number,
    { records, shards }: { records: RecordStore; shards: Shards },
  ): Promise<IgnoreList> {
    const list = new IgnoreList(number, records, shards);
    for (const record of await records.records(number, kinds.ignored)) {
      await list.#index(record.id, valueOf<Ignored>(record), type);
    }
    return list;
  }

  get size(): number {
    return this.#pictures.size;
  }

  /** Fails with IMAGE_EXISTS, and with IGNORE_LIST_FULL. */
  async add(
    { type }: Application,
    { id, dna, thumbnail, details }: Omit<NewReference, 'keywords'>,
    who: string,
  ): Promise<IgnoredPicture> {
    if (this.#pictures.has(id)) throw fail('IMAGE_EXISTS', id);
    if (this.size >= MOST) throw fail('IGNORE_LIST_FULL', `it has ${MOST} pictures`);
    const { width = null, height = null } = details ?? {};
    const picture: Ignored = {
      ...{ dna: base64(dna), width, height, added: new Date().toISOString(), who },
      ...(thumbnail && { thumbnail: base64(thumbnail) }),
    };
    await this.#records.changeRecords(this.#number, [{ ...put(kinds.ignored, id, picture), expected: 0 }]);
    await this.#index(id, picture, type);
    return shownOf(id, picture, {});
  }

  /** Fails with UNKNOWN_IGNORED. */
  async delete(id: string): Promise<void> {
    if (!this.#pictures.has(id)) throw fail('UNKNOWN_IGNORED', id);
    await this.#records.changeRecords(this.#number, [remove(kinds.ignored, id)]);
    this.#pictures.delete(id);
    const number = this.#ids.indexOf(id);
    this.#ids[number] = undefined;
    await this.#shards.remove(this.#partition, number);
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
    const shown = new Set<string>();
    const places: Place[] = [];
    let rest: Uint8Array | undefined = query;
    for (let round = 0; round < ROUNDS && rest; round++) {
      const { hits } = await this.#shards.search({
        application: this.#partition,
        query: rest,
        only: null,
        pictures: this.#ids.length,
        compare: (a, b) => a - b,
        exists: (number) => this.#ids[number] !== undefined,
        window: { below: 1, start: 0, count: MOST },
        options: { colorWeight: 0 },
      });
      const found = hits.map(({ image, resultInfo }) => ({ id: this.#ids[image]!, at: placesOf(resultInfo) }));
      const covering = found.filter(({ at }) => at.length > 0);
      if (covering.length === 0) break;
      for (const { id, at } of covering) {
        shown.add(id);
        places.push(...at);
      }
      rest = withoutPlaces(query, places);
    }
    return shown.size > 0 ? { shown: [...shown].sort((a, b) => (a < b ? -1 : 1)), rest } : undefined;
  }

  /** Frees the memory of the index. */
  async drop(): Promise<void> {
    if (this.#indexed) await this.#shards.drop(this.#partition);
  }

  /** A partition beside that of the application, whose number is positive. */
  get #partition(): number {
    return -this.#number;
  }

  async #index(id: string, picture: Ignored, type: Application['type']): Promise<void> {
    if (!this.#indexed) await this.#shards.open(this.#partition, type);
    this.#indexed = true;
    await this.#shards.add(this.#partition, [{ image: this.#ids.length, dna: bytesIn(picture.dna) }]);
    this.#ids.push(id);
    this.#pictures.set(id, picture);
  }
}

function shownOf(
  id: string,
  { dna, thumbnail, width, height, added, who }: Ignored,
  parts: { dna?: boolean; thumbnails?: boolean },
): IgnoredPicture {
  return {
    ...{ id, width, height, added, who },
    ...(parts.dna && { dna }),
    ...(parts.thumbnails && thumbnail !== undefined && { thumbnail }),
  };
}
