import type { ImageNumber, Steps } from '@sosia/engine';
import type { Page, Restriction } from '../references.ts';
import { ascending } from './ascending.ts';
import { HashTable } from './hash-table.ts';
import { PagedNumbers } from './paged-numbers.ts';
import { countOf, Postings } from './postings.ts';
import type { Place } from './postings.ts';
import { Records } from './records.ts';
import { sorted } from './sorted.ts';

/** A reference picture without its DNA. */
export interface Entry {
  readonly number: ImageNumber;
  readonly id: string;
  readonly keywords: readonly string[];
}

/** The keyword of all pictures, behind the handles of all texts. */
const ALL = 2 ** 32 - 1;

/** Pictures or postings between two steps. */
const STEP = 4096;

/** A record of a picture is read in the time of as many entries of a list. */
const FEW = 32;

/**
 * The reference pictures of one application in memory: by id, by number and by keyword. A picture with an id of 20
 * bytes and three keywords takes about 100 bytes. A change moves a few thousand bytes at most, however many
 * pictures there are.
 *
 * A picture has a handle, and its record has its id and the handles of its keywords. The postings of a keyword are in
 * the order of the ids, so that a page of any list is a part of them.
 */
export class Catalogue {
  readonly #pictures = new Records();
  /** By picture. */
  readonly #numbers = new PagedNumbers();
  readonly #byNumber = new HashTable((picture) => mixed(this.#numbers.get(picture)));
  readonly #keywords = new Records();
  /** The number of pictures, by keyword. */
  readonly #bearers = new PagedNumbers();
  readonly #byId = (a: number, b: number): number => this.#pictures.compare(a, b) || a - b;
  readonly #postings = new Postings(this.#byId);

  get size(): number {
    return this.#pictures.count;
  }

  withId(id: string): Entry | undefined {
    return this.#entry(this.#pictures.find(id));
  }

  withNumber(number: ImageNumber): Entry | undefined {
    return this.#entry(this.#find(number));
  }

  has(number: ImageNumber): boolean {
    return this.#find(number) >= 0;
  }

  /** Id and number must be new. */
  add(entry: Entry): void {
    const picture = this.#insert(entry);
    for (const keyword of this.#pictures.numbers(picture)) this.#postings.insert(keyword, picture);
    this.#postings.insert(ALL, picture);
  }

  /**
   * As `add`, and much faster where many pictures come before the first selection: none shows them before `arrange` has
   * ended.
   */
  stock(entry: Entry): void {
    this.#insert(entry);
  }

  /** Puts the stocked pictures in order; for a catalogue without others. */
  *arrange(): Steps<void> {
    const pictures = yield* sorted(this.#pictures.count, this.#byId);
    // a counting sort by keyword, which keeps the order of the pictures
    const ends = new Uint32Array(this.#keywords.end);
    let total = 0;
    for (let keyword = 0; keyword < ends.length; keyword++) {
      ends[keyword] = total;
      total += this.#bearers.get(keyword);
    }
    const bearers = new Uint32Array(total);
    for (let i = 0; i < pictures.length; i++) {
      for (const keyword of this.#pictures.numbers(pictures[i]!)) bearers[ends[keyword]!++] = pictures[i]!;
      if (i % STEP === 0) yield;
    }
    for (let keyword = 0, i = 0; keyword < ends.length; keyword++) {
      while (i < ends[keyword]!) {
        this.#postings.append(keyword, bearers[i]!);
        if (++i % STEP === 0) yield;
      }
    }
    for (let i = 0; i < pictures.length; i++) {
      this.#postings.append(ALL, pictures[i]!);
      if (i % STEP === 0) yield;
    }
  }

  remove({ number }: Entry): void {
    const picture = this.#find(number);
    for (const keyword of this.#pictures.numbers(picture)) {
      this.#postings.remove(keyword, picture);
      const left = this.#bearers.get(keyword) - 1;
      this.#bearers.set(keyword, left);
      if (left === 0) this.#keywords.remove(keyword);
    }
    this.#postings.remove(ALL, picture);
    this.#byNumber.remove(picture);
    this.#pictures.remove(picture);
  }

  /** The selected numbers, ascending; null without a restriction. */
  select({ keywords, ids }: Restriction): Uint32Array | null {
    if (ids === null && keywords.length === 0) return null;
    const numbers = this.#selected(keywords, ids);
    for (let i = 0; i < numbers.length; i++) numbers[i] = this.#numbers.get(numbers[i]!);
    return ascending(numbers);
  }

  /** A page of the selected pictures, by the bytes of their ids; of those after `after` if it is set. */
  page({ keywords, ids }: Restriction, { start, count }: Page, after?: string): { found: number; entries: Entry[] } {
    const bytes = Buffer.from(after ?? '');
    const isBefore = (picture: number): boolean =>
      after !== undefined && this.#pictures.compareWith(picture, bytes) <= 0;
    const sizeOfPage = (found: number): number => Math.max(0, Math.min(count, found - start));
    const pageOf = (found: number, pictures: Uint32Array) => ({
      found,
      entries: Array.from(pictures, (picture) => this.#entry(picture)!),
    });

    if (ids === null && keywords.length < 2) {
      const keyword = keywords.length === 0 ? ALL : this.#keywords.find(keywords[0]!);
      if (keyword < 0) return { found: 0, entries: [] };
      const first = this.#postings.place(keyword, isBefore);
      const found = this.#count(keyword) - this.#postings.between(this.#start(keyword), first);
      return pageOf(found, this.#postings.pictures(first, start, sizeOfPage(found)));
    }
    const pictures = this.#selected(keywords, ids);
    if (ids !== null) pictures.sort(this.#byId);
    const first = countOf(pictures.length, (i) => isBefore(pictures[i]!));
    const found = pictures.length - first;
    return pageOf(found, pictures.subarray(first + start, first + start + sizeOfPage(found)));
  }

  /** The order of two numbers by the bytes of their ids; removed pictures come first, by number. */
  readonly compare = (a: ImageNumber, b: ImageNumber): number => {
    const [one, other] = [this.#find(a), this.#find(b)];
    const isThere = one >= 0 && other >= 0;
    return (isThere ? this.#pictures.compare(one, other) : Math.min(one, 0) - Math.min(other, 0)) || a - b;
  };

  #find(number: ImageNumber): number {
    return this.#byNumber.find(mixed(number), (picture) => this.#numbers.get(picture) === number);
  }

  #entry(picture: number): Entry | undefined {
    if (picture < 0) return undefined;
    const keywords = Array.from(this.#pictures.numbers(picture), (keyword) => this.#keywords.text(keyword));
    return { number: this.#numbers.get(picture), id: this.#pictures.text(picture), keywords };
  }

  /** Everything but the postings. */
  #insert({ number, id, keywords }: Entry): number {
    const handles = [...new Set(keywords)].map((keyword) => this.#keyword(keyword));
    for (const keyword of handles) this.#bearers.set(keyword, this.#bearers.get(keyword) + 1);
    const picture = this.#pictures.add(id, handles);
    this.#numbers.set(picture, number);
    this.#byNumber.add(picture);
    return picture;
  }

  #keyword(keyword: string): number {
    const known = this.#keywords.find(keyword);
    if (known >= 0) return known;
    const handle = this.#keywords.add(keyword, []);
    this.#bearers.set(handle, 0);
    return handle;
  }

  /** In the order of their ids, unless `ids` is set. */
  #selected(keywords: readonly string[], ids: readonly string[] | null): Uint32Array {
    const handles = keywords.map((keyword) => this.#keywords.find(keyword));
    if (handles.includes(-1)) return new Uint32Array();
    if (ids !== null) return this.#bearing(handles, this.#withIds(ids));
    const [rarest, ...others] = handles.sort((a, b) => this.#count(a) - this.#count(b));
    return this.#bearing(others, this.#postings.pictures(this.#start(rarest!), 0, this.#count(rarest!)));
  }

  #withIds(ids: readonly string[]): Uint32Array {
    const pictures = Array.from(ids, (id) => this.#pictures.find(id));
    return Uint32Array.from(new Set(pictures.filter((picture) => picture >= 0)));
  }

  /** Those of the pictures that have all keywords. */
  #bearing(keywords: readonly number[], pictures: Uint32Array): Uint32Array {
    for (const keyword of keywords) {
      if (this.#count(keyword) > FEW * pictures.length) {
        pictures = pictures.filter((picture) => this.#pictures.has(picture, keyword));
      } else {
        const bearers = this.#bitmap(keyword);
        pictures = pictures.filter((picture) => bearers[picture >>> 5]! & (1 << (picture & 31)));
      }
    }
    return pictures;
  }

  #bitmap(keyword: number): Uint32Array {
    const bits = new Uint32Array((this.#pictures.end + 31) >>> 5);
    for (const picture of this.#postings.pictures(this.#start(keyword), 0, this.#count(keyword)))
      bits[picture >>> 5]! |= 1 << (picture & 31);
    return bits;
  }

  #start(keyword: number): Place {
    return this.#postings.place(keyword, () => false);
  }

  #count(keyword: number): number {
    return keyword === ALL ? this.size : this.#bearers.get(keyword);
  }
}

/** All bits of a number in all bits of its hash (the finalizer of MurmurHash3). */
function mixed(number: number): number {
  let hash = number;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
