import type { HashMatch, ShownHashList } from '@sosia/contract';
import { HashIndex, PDQ_BYTES, type Pdq } from '@sosia/engine';
import type { Application } from '../applications/application.ts';
import { bodyOf, recordsNumber, remove, valueIn } from '../applications/records.ts';
import { fail } from '../errors.ts';
import type { ImageStore } from '../store/image-store.ts';
import type { NewEvent, NewImage } from '../store/store.ts';
import { Thread } from '../workers/thread.ts';
import { parseHashes, type HashEntry, type ParsedHashes } from './hash-format.ts';
import type { FormatJobs } from './hash-format.thread.ts';
import { HASHES_KIND, keyOf } from './stored.ts';

/** Of an application: lists, hashes, and bytes of qualities and labels. */
const MAX = { lists: 100, hashes: 1_000_000, notes: 64 * 2 ** 20 };

/** A picture whose hash has a lower quality causes no event: it is too uncertain. */
const LEAST_QUALITY = 50;

const [BITS, LINE_END] = [8 * PDQ_BYTES, 0x0a];

/** What is stored in front of the hashes, as a line of JSON. */
type Head = Pick<ShownHashList, 'distance' | 'added' | 'who'> & { readonly count: number };

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

  /** @param body  the line of the head, the hashes, their notes */
  constructor(body: Uint8Array) {
    const start = body.indexOf(LINE_END) + 1;
    this.head = valueIn<Head>(body.subarray(0, start));
    const end = start + PDQ_BYTES * this.head.count;
    this.index = new HashIndex(body.subarray(start, end));
    this.notes = new Uint8Array(body.subarray(end));
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
  readonly #images: Pick<ImageStore, 'changeRecords' | 'recordsAfter'>;
  readonly #lists = new Map<string, HashList>();

  private constructor(application: Application, images: Pick<ImageStore, 'changeRecords' | 'recordsAfter'>) {
    this.#records = recordsNumber(application);
    this.#images = images;
  }

  static async open(application: Application, images: Pick<ImageStore, 'changeRecords' | 'recordsAfter'>) {
    const opened = new HashLists(application, images);
    for (let after = ''; ;) {
      const [record] = await images.recordsAfter(opened.#records, HASHES_KIND, after, 1);
      if (!record) return opened;
      opened.#lists.set(record.id, new HashList(record.body));
      after = record.id;
    }
  }

  get size(): number {
    return this.#lists.size;
  }

  /** Stores a list, or replaces the one of its name. Fails with HASH_LISTS_FULL. */
  async save(id: string, { hashes, notes }: ParsedHashes, head: Omit<Head, 'count'>): Promise<ShownHashList> {
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
    const body = Buffer.concat([bodyOf({ ...head, count }), Uint8Array.of(LINE_END), hashes, notes]);
    await this.#images.changeRecords(this.#records, [{ kind: HASHES_KIND, id, body }]);
    this.#lists.set(id, new HashList(body));
    return shownOf(id, this.#lists.get(id)!);
  }

  /** Fails with UNKNOWN_HASH_LIST. */
  async delete(id: string): Promise<void> {
    this.#of(id);
    await this.#images.changeRecords(this.#records, [remove(HASHES_KIND, id)]);
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

function shownOf(id: string, { head: { count, ...head } }: HashList): ShownHashList {
  return { id, nb_hashes: count, ...head };
}
