import type { HashMatch, ShownHashList } from '@sosia/contract';
import { HashIndex, PDQ_BYTES, type Pdq } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import { randomUUID } from 'node:crypto';
import { put, recordsNumber, remove, valueIn } from '../applications/records.ts';
import { fail } from '../errors.ts';
import type { EventStore, NewEvent, NewImage, RecordChange } from '../store/store.ts';
import { Thread } from '../workers/thread.ts';
import { parseHashes, type HashEntry, type ParsedHashes } from './hash-format.ts';
import type { FormatJobs } from './hash-format.thread.ts';
import { HASHES_KIND, keyOf } from './stored.ts';

/** Of an application: lists, hashes, and bytes of qualities and labels. */
const MAX = { lists: 100, hashes: 1_000_000, notes: 64 * 2 ** 20 };

/** A picture whose hash has a lower quality causes no event: it is too uncertain. */
const LEAST_QUALITY = 50;

const [BITS, LINE_END] = [8 * PDQ_BYTES, 0x0a];

/** The kind of the records that have the hashes of a list and then their notes. They are short, since a cluster takes no large ones. */
export const PART_KIND = 'hashes-part';
const PART_BYTES = 3 * 2 ** 20;

/** The record of a list. */
interface Head extends Pick<ShownHashList, 'distance' | 'added' | 'who'> {
  readonly count: number;
  /** The ids of its parts are this and a number from 0. Missing where all follows in the same record, behind a line end. */
  readonly mark?: string;
  readonly parts?: number;
}

/** Bytes of a file that is read in about a millisecond; a longer one would stop the event loop. */
const SHORT_FILE_BYTES = 50_000;

/** Reads a long file in a thread. Fails with BAD_HASHES or BAD_TEXT. */
export async function readHashes(file: Uint8Array): Promise<ParsedHashes> {
  if (file.length <= SHORT_FILE_BYTES) return parseHashes(file);
  const thread = new Thread<FormatJobs>(new URL('./hash-format.thread.js', import.meta.url));
  try {
    const read = await thread.remote.parse(file);
    if ('error' in read) throw fail(read.error, read.detail);
    return read;
  } finally {
    await thread.terminate();
  }
}

/** A list in memory: 32 bytes a hash, and qualities and labels where it has some. */
class HashList {
  readonly head: Head;
  readonly index: HashIndex;
  readonly notes: Uint8Array;
  /** Where the note of each hash begins; empty without notes. */
  readonly #starts: Uint32Array;

  /** @param content  the hashes, then their notes */
  constructor(head: Head, content: Uint8Array) {
    this.head = head;
    const end = PDQ_BYTES * head.count;
    this.index = new HashIndex(content.subarray(0, end));
    this.notes = new Uint8Array(content.subarray(end));
    this.#starts = new Uint32Array(this.notes.length > 0 ? this.head.count : 0);
    for (let i = 1; i < this.#starts.length; i++)
      this.#starts[i] = this.notes.indexOf(LINE_END, this.#starts[i - 1]) + 1;
  }

  entry(place: number): HashEntry {
    const pdq = Buffer.from(this.index.hash(place)).toString('hex');
    const start = this.#starts[place];
    if (start === undefined) return { pdq };
    const note = Buffer.from(this.notes.subarray(start, this.notes.indexOf(LINE_END, start))).toString('utf8');
    const [quality, label] = [note.slice(0, note.indexOf(',')), note.slice(note.indexOf(',') + 1)];
    return { pdq, ...(quality && { quality: Number(quality) }), ...(label && { label }) };
  }
}

/** The lists of hashes of an application. */
export class HashLists {
  readonly #records: number;
  readonly #store: EventStore;
  readonly #lists = new Map<string, HashList>();

  private constructor(application: Application, store: EventStore) {
    this.#records = recordsNumber(application);
    this.#store = store;
  }

  static async open(application: Application, store: EventStore) {
    const opened = new HashLists(application, store);
    for (let after = ''; ;) {
      const [record] = await store.recordsAfter(opened.#records, HASHES_KIND, after, 1);
      if (!record) return opened;
      await opened.take(record);
      after = record.id;
    }
  }

  /** Takes a list as it is stored, or its removal. */
  async take({ id, body }: Pick<RecordChange, 'id' | 'body'>): Promise<void> {
    const list = body && (await this.#read(body));
    if (list) this.#lists.set(id, list);
    else this.#lists.delete(id);
  }

  /** Undefined where a part is damaged, or another process has replaced the list. */
  async #read(body: Uint8Array): Promise<HashList | undefined> {
    const end = body.indexOf(LINE_END);
    if (end >= 0) return new HashList(valueIn(body.subarray(0, end)), body.subarray(end + 1));
    const head = valueIn<Head>(body);
    const parts: Uint8Array[] = [];
    for (const id of partsOf(head)) {
      const part = await this.#store.record(this.#records, PART_KIND, id);
      if (!part) return undefined;
      parts.push(part.body);
    }
    return new HashList(head, Buffer.concat(parts));
  }

  get size(): number {
    return this.#lists.size;
  }

  /** Stores a list, or replaces the one of its name. Fails with HASH_LISTS_FULL. */
  async save(
    id: string,
    { hashes, notes }: ParsedHashes,
    head: Omit<Head, 'count' | 'mark' | 'parts'>,
  ): Promise<ShownHashList> {
    const count = hashes.length / PDQ_BYTES;
    const others = [...this.#lists].filter(([name]) => name !== id).map(([, list]) => list);
    const full = {
      lists: others.length + 1,
      hashes: others.reduce((sum, { head }) => sum + head.count, count),
      notes: others.reduce((sum, list) => sum + list.notes.length, notes.length),
    };
    for (const what of ['lists', 'hashes', 'notes'] as const)
      if (full[what] > MAX[what])
        throw fail('HASH_LISTS_FULL', `expected at most ${MAX[what]} ${what === 'notes' ? 'bytes of labels' : what}`);
    const content = Buffer.concat([hashes, notes]);
    const stored = { ...head, count, mark: randomUUID(), parts: Math.ceil(content.length / PART_BYTES) };
    const parts = partsOf(stored).map((part, i) => {
      return { kind: PART_KIND, id: part, body: content.subarray(PART_BYTES * i, PART_BYTES * (i + 1)) };
    });
    const former = this.#lists.get(id);
    await this.#store.changeRecords(this.#records, [...parts, put(HASHES_KIND, id, stored), ...removalOf(former)]);
    const list = new HashList(stored, content);
    this.#lists.set(id, list);
    return shownOf(id, list);
  }

  /** Fails with UNKNOWN_HASH_LIST. */
  async delete(id: string): Promise<void> {
    const list = this.#of(id);
    await this.#store.changeRecords(this.#records, [remove(HASHES_KIND, id), ...removalOf(list)]);
    this.#lists.delete(id);
  }

  /** By name. */
  list({ start, count }: { readonly start: number; readonly count: number }): ShownHashList[] {
    return this.#sorted()
      .slice(start, start + count)
      .map(([id, list]) => shownOf(id, list));
  }

  /** In the order of the import. Fails with UNKNOWN_HASH_LIST. */
  page(id: string, { start, count }: { readonly start: number; readonly count: number }) {
    const list = this.#of(id);
    const { count: found } = list.head;
    const places = Array.from({ length: Math.max(0, Math.min(count, found - start)) }, (_, i) => start + i);
    return { found, entries: places.map((place) => list.entry(place)) };
  }

  /** Near hashes of one list or of all, the nearest first, then by list and place. Fails with UNKNOWN_HASH_LIST. */
  search(query: Uint8Array, only: string | undefined, most: number, count: number) {
    const lists = only === undefined ? this.#sorted() : [[only, this.#of(only)] as const];
    let found = 0;
    const near: HashMatch[] = [];
    for (const [list_id, list] of lists) {
      const nearby = list.index.search(query, most, count);
      found += nearby.found;
      for (const { place, distance } of nearby.near)
        near.push({ list_id, entry: place, ...list.entry(place), distance });
    }
    return { found, near: near.sort((a, b) => a.distance - b.distance).slice(0, count) };
  }

  /** The event of each list that has hashes near that of an added picture. */
  eventsOf(application: Application, { id, dna }: Pick<NewImage, 'id' | 'dna'>, { hash, quality }: Pdq): NewEvent[] {
    if (quality < LEAST_QUALITY) return [];
    const at = new Date().toISOString();
    return [...this.#lists].flatMap(([search, list]) => {
      const { found: nb_near, near } = list.index.search(hash, list.head.distance, 1);
      return near.map(({ place, distance }): NewEvent => {
        const hit = { list_id: search, entry: place, ...list.entry(place), distance, nb_near };
        const watched = `pdq:${hit.pdq}`;
        const key = keyOf(search, application.nameOf(dna), watched);
        const likeness = { score: distance / BITS, similarity: Math.round(1000 * (1 - distance / BITS)) / 10 };
        return { key, search, watched, image: id, at, ...likeness, decision: '', info: '', hash: hit };
      });
    });
  }

  #sorted(): (readonly [string, HashList])[] {
    return [...this.#lists].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #of(id: string): HashList {
    const list = this.#lists.get(id);
    if (!list) throw fail('UNKNOWN_HASH_LIST', id);
    return list;
  }
}

function partsOf({ mark = '', parts = 0 }: Head): string[] {
  return Array.from({ length: parts }, (_, i) => `${mark} ${i}`);
}

function removalOf(list: HashList | undefined): RecordChange[] {
  return list ? partsOf(list.head).map((part) => remove(PART_KIND, part)) : [];
}

function shownOf(id: string, { head: { count, distance, added, who } }: HashList): ShownHashList {
  return { id, nb_hashes: count, distance, added, who };
}
