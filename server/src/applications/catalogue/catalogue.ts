import { imagesOf, selectionOf, type ImageNumber, type Selection, type Steps } from '@sosia/engine';
import type { TermRange } from '../metadata-terms.ts';
import type { Page, Restriction } from '../references.ts';
import { HashTable, mixed } from './hash-table.ts';
import { KeptSelections } from './kept-selections.ts';
import { PagedNumbers } from './paged-numbers.ts';
import { countOf, marked, Postings, type PostingPosition } from './postings.ts';
import { Records } from './records.ts';
import { CatalogueSections, type Section } from './sections.ts';
import { sorted } from './sorted.ts';
import { TermList } from './term-list.ts';

/** The pictures of a saved catalogue. */
export interface Saved {
  readonly numbers: Uint32Array;
  /** Those of their records in the store, beside the numbers. */
  readonly checksums: Uint32Array;
}

/** A reference picture without its DNA. */
export interface Entry {
  readonly number: ImageNumber;
  readonly id: string;
  /** And the terms of its metadata. */
  readonly keywords: readonly string[];
}

/** An entry as it is stored. */
export interface Stored extends Entry {
  /** That of the record in the store; saved with the entry. */
  readonly checksum?: number;
}

/** The keyword of all pictures, behind the handles of all texts. */
const KEYWORD_OF_ALL = 2 ** 32 - 1;

/** Pictures or postings between two steps. */
const RECORDS_PER_STEP = 4096;

/** Pictures saved in one step, less than a millisecond. */
const SAVED_AT_ONCE = 512;

/** A record of a picture is read in the time of as many entries of a list. */
const ENTRIES_PER_RECORD_READ = 32;

/** Records of pictures are read in the time in which the list of a keyword is found. */
const RECORD_READS_PER_LIST = 8;

/** All lists are read in the time in which the records of one picture in so many are. */
const PICTURES_PER_RECORD_READ = 8;

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
  readonly #checksums = new PagedNumbers();
  readonly #byNumber = new HashTable((picture) => mixed(this.#numbers.get(picture)));
  readonly #keywords = new Records();
  /** The number of pictures, by keyword. */
  readonly #bearers = new PagedNumbers();
  readonly #byId = (a: number, b: number): number => this.#pictures.compare(a, b) || a - b;
  readonly #postings = new Postings(this.#byId);
  readonly #terms = new TermList(this.#keywords);
  readonly #kept = new KeptSelections();
  /** The catalogue that is being saved. */
  #saving: CatalogueSections | undefined;
  #highest = 0;

  get size(): number {
    return this.#pictures.count;
  }

  /** The highest number that a picture has or had; 0 before the first. */
  get highest(): number {
    return this.#highest;
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
  add(entry: Stored): void {
    const picture = this.#insert(entry);
    for (const keyword of this.#pictures.numbers(picture)) this.#postings.insert(keyword, picture);
    this.#postings.insert(KEYWORD_OF_ALL, picture);
    this.#kept.change(entry, true);
  }

  /**
   * As `add`, and much faster where many pictures come before the first selection: none shows them before `arrange` has
   * ended.
   */
  stock(entry: Stored): void {
    this.#insert(entry);
  }

  /** Puts the stocked pictures in order; for a catalogue without others. */
  *arrange(): Steps<void> {
    yield* this.#post(yield* sorted(this.#pictures.count, this.#byId));
  }

  /**
   * The pictures in the order of their ids, as sections of at most a page of records; undefined is a step without one. Pictures
   * may be added and removed between two sections; those may be missing or there. Each other picture is in it once.
   */
  *save(): Generator<Section | undefined, void, undefined> {
    const sections = (this.#saving = new CatalogueSections(this.#pictures, this.#keywords));
    for (let last: Uint8Array | undefined; ;) {
      const pictures = this.#behind(last, SAVED_AT_ONCE);
      if (pictures.length === 0) break;
      const full: Section[] = [];
      for (const picture of pictures) {
        full.push(...sections.add(picture, this.#numbers.get(picture), this.#checksums.get(picture)));
      }
      last = Buffer.from(this.#pictures.text(pictures.at(-1)!));
      yield* full;
      yield;
    }
    this.#saving = undefined;
    yield* sections.end();
  }

  /**
   * Fills an empty catalogue with the sections of a saved one, which were checked before.
   * @throws RangeError for sections that are none
   */
  *restore(sections: Iterable<Section>): Steps<Saved> {
    // copies, since the next section may take the bytes
    const numbers: Uint8Array[] = [];
    const checksums: Uint8Array[] = [];
    for (const { name, bytes } of sections) {
      if (name === 'pictures') this.#pictures.adopt(wordsOf(bytes));
      else if (name === 'numbers') numbers.push(bytes.slice());
      else if (name === 'checksums') checksums.push(bytes.slice());
      else if (name === 'keywords') this.#keywords.adopt(wordsOf(bytes));
      yield;
    }
    const saved = { numbers: wordsOf(...numbers), checksums: wordsOf(...checksums) };
    const count = this.#pictures.end;
    if (saved.numbers.length !== count || saved.checksums.length !== count) {
      throw new RangeError(`expected ${count} numbers, found ${saved.numbers.length} and ${saved.checksums.length}`);
    }
    const bearers = new Uint32Array(this.#keywords.end);
    for (let picture = 0; picture < count; picture++) {
      for (const keyword of this.#pictures.numbers(picture)) {
        if (keyword >= bearers.length) throw new RangeError(`expected ${bearers.length} keywords, found ${keyword}`);
        bearers[keyword]!++;
      }
      this.#numbers.set(picture, saved.numbers[picture]!);
      this.#checksums.set(picture, saved.checksums[picture]!);
      this.#byNumber.add(picture);
      this.#highest = Math.max(this.#highest, saved.numbers[picture]!);
      if (picture % RECORDS_PER_STEP === 0) yield;
    }
    bearers.forEach((bearer, keyword) => this.#bearers.set(keyword, bearer));
    for (let keyword = 0; keyword < bearers.length; keyword++) {
      this.#terms.add(keyword);
      if (keyword % RECORDS_PER_STEP === 0) yield;
    }
    yield* this.#post(Uint32Array.from({ length: count }, (_, picture) => picture));
    return saved;
  }

  /** Lists all pictures, which are in the order of their ids. */
  *#post(pictures: Uint32Array): Steps<void> {
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
      if (i % RECORDS_PER_STEP === 0) yield;
    }
    for (let keyword = 0, i = 0; keyword < ends.length; keyword++) {
      while (i < ends[keyword]!) {
        this.#postings.append(keyword, bearers[i]!);
        if (++i % RECORDS_PER_STEP === 0) yield;
      }
    }
    for (let i = 0; i < pictures.length; i++) {
      this.#postings.append(KEYWORD_OF_ALL, pictures[i]!);
      if (i % RECORDS_PER_STEP === 0) yield;
    }
    this.#kept.clear();
  }

  remove(entry: Entry): void {
    const picture = this.#find(entry.number);
    for (const keyword of this.#pictures.numbers(picture)) {
      this.#postings.remove(keyword, picture);
      const left = this.#bearers.get(keyword) - 1;
      this.#bearers.set(keyword, left);
      if (left > 0) continue;
      this.#terms.remove(keyword);
      this.#keywords.remove(keyword);
      this.#saving?.forget(keyword);
    }
    this.#postings.remove(KEYWORD_OF_ALL, picture);
    this.#byNumber.remove(picture);
    this.#pictures.remove(picture);
    this.#kept.change(entry, false);
  }

  /** Null without a restriction. */
  select(restriction: Restriction): Selection | null {
    const { keywords, ids, ranges = [] } = restriction;
    if (ids !== null) return this.#selection(this.#selected(restriction));
    if (keywords.length === 0 && ranges.length === 0) return null;
    return this.#kept.get({ keywords, ranges }, () => this.#selection(this.#selected(restriction)));
  }

  /** A page of the selected pictures, by the bytes of their ids; of those after `after` if it is set. */
  page(restriction: Restriction, { start, count }: Page, after?: string): { found: number; entries: Entry[] } {
    const { keywords, ids, ranges = [] } = restriction;
    const bytes = Buffer.from(after ?? '');
    const isBefore = (picture: number): boolean =>
      after !== undefined && this.#pictures.compareWith(picture, bytes) <= 0;
    const sizeOfPage = (found: number): number => Math.max(0, Math.min(count, found - start));
    const pageOf = (found: number, pictures: Uint32Array) => ({
      found,
      entries: Array.from(pictures, (picture) => this.#entry(picture)!),
    });

    if (ids === null && keywords.length < 2 && ranges.length === 0) {
      const keyword = keywords.length === 0 ? KEYWORD_OF_ALL : this.#keywords.find(keywords[0]!);
      if (keyword < 0) return { found: 0, entries: [] };
      const first = this.#postings.lowerBound(keyword, isBefore);
      const found = this.#count(keyword) - this.#postings.between(this.#start(keyword), first);
      return pageOf(found, this.#postings.pictures(first, start, sizeOfPage(found)));
    }
    const pictures = this.#selected(restriction);
    if (ids !== null) pictures.sort(this.#byId);
    const first = countOf(pictures.length, (i) => isBefore(pictures[i]!));
    const found = pictures.length - first;
    return pageOf(found, pictures.subarray(first + start, first + start + sizeOfPage(found)));
  }

  /** A page of the selected pictures, the highest number first. */
  latest(restriction: Restriction, { start, count }: Page): { found: number; entries: Entry[] } {
    const all = () => this.#selection(this.#postings.pictures(this.#start(KEYWORD_OF_ALL), 0, this.size));
    const numbers = imagesOf(this.select(restriction) ?? all());
    const end = Math.max(0, numbers.length - start);
    const page = numbers.slice(Math.max(0, end - count), end).reverse();
    return { found: numbers.length, entries: Array.from(page, (number) => this.withNumber(number)!) };
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

  /** The next pictures by the bytes of their ids, behind those of `last`. */
  #behind(last: Uint8Array | undefined, most: number): Uint32Array {
    const place = this.#postings.lowerBound(
      KEYWORD_OF_ALL,
      (picture) => !!last && this.#pictures.compareWith(picture, last) <= 0,
    );
    const left = this.size - this.#postings.between(this.#start(KEYWORD_OF_ALL), place);
    return this.#postings.pictures(place, 0, Math.min(most, left));
  }

  /** Everything but the postings. */
  #insert({ number, id, keywords, checksum = 0 }: Stored): number {
    const handles = [...new Set(keywords)].map((keyword) => this.#keyword(keyword));
    for (const keyword of handles) this.#bearers.set(keyword, this.#bearers.get(keyword) + 1);
    const picture = this.#pictures.add(id, handles);
    this.#numbers.set(picture, number);
    this.#checksums.set(picture, checksum);
    this.#byNumber.add(picture);
    this.#highest = Math.max(this.#highest, number);
    return picture;
  }

  #keyword(keyword: string): number {
    const known = this.#keywords.find(keyword);
    if (known >= 0) return known;
    const handle = this.#keywords.add(keyword, []);
    this.#bearers.set(handle, 0);
    this.#terms.add(handle);
    return handle;
  }

  /** In the order of their ids, unless `ids` is set. */
  #selected({ keywords, ids, ranges = [] }: Restriction): Uint32Array {
    const handles = keywords.map((keyword) => this.#keywords.find(keyword));
    if (handles.includes(-1)) return new Uint32Array();
    const pictures = ids === null ? this.#withAll(handles) : this.#bearing(handles, this.#withIds(ids));
    return ranges.reduce((left, range) => this.#within(range, left), pictures);
  }

  /** All pictures where no keyword is given. */
  #withAll(keywords: readonly number[]): Uint32Array {
    const [rarest = KEYWORD_OF_ALL, ...others] = keywords.toSorted((a, b) => this.#count(a) - this.#count(b));
    return this.#bearing(others, this.#postings.pictures(this.#start(rarest), 0, this.#count(rarest)));
  }

  /** Those of the pictures that have a term of a range. */
  #within(range: TermRange, pictures: Uint32Array): Uint32Array {
    const terms = this.#terms.within(range);
    const byLists = RECORD_READS_PER_LIST * terms.length;
    const byAllLists = this.size / PICTURES_PER_RECORD_READ;
    if (byLists <= Math.min(pictures.length, byAllLists)) return this.#marked(terms, pictures);
    const wanted = new Uint32Array((this.#keywords.end + 31) >>> 5);
    for (let i = 0; i < terms.length; i++) wanted[terms[i]! >>> 5]! |= 1 << (terms[i]! & 31);
    if (pictures.length <= byAllLists) return pictures.filter((picture) => this.#pictures.hasAny(picture, wanted));
    const bearers = this.#noPictures();
    this.#postings.mark(wanted, bearers);
    return marked(pictures, bearers);
  }

  #withIds(ids: readonly string[]): Uint32Array {
    const pictures = Array.from(ids, (id) => this.#pictures.find(id));
    return Uint32Array.from(new Set(pictures.filter((picture) => picture >= 0)));
  }

  /** Those of the pictures that have all keywords. */
  #bearing(keywords: readonly number[], pictures: Uint32Array): Uint32Array {
    for (const keyword of keywords) {
      if (this.#count(keyword) > ENTRIES_PER_RECORD_READ * pictures.length) {
        pictures = pictures.filter((picture) => this.#pictures.has(picture, keyword));
      } else {
        pictures = this.#marked([keyword], pictures);
      }
    }
    return pictures;
  }

  /** Those of the pictures that have one of the keywords, by the lists of the keywords. */
  #marked(keywords: Iterable<number>, pictures: Uint32Array): Uint32Array {
    const bearers = this.#noPictures();
    for (const keyword of keywords) {
      for (const picture of this.#postings.pictures(this.#start(keyword), 0, this.#count(keyword)))
        bearers[picture >>> 5]! |= 1 << (picture & 31);
    }
    return marked(pictures, bearers);
  }

  /** A bit for each picture. */
  #noPictures(): Uint32Array {
    return new Uint32Array((this.#pictures.end + 31) >>> 5);
  }

  #start(keyword: number): PostingPosition {
    return this.#postings.lowerBound(keyword, () => false);
  }

  /** @param pictures  each becomes its number */
  #selection(pictures: Uint32Array): Selection {
    for (let i = 0; i < pictures.length; i++) pictures[i] = this.#numbers.get(pictures[i]!);
    return selectionOf(pictures);
  }

  #count(keyword: number): number {
    return keyword === KEYWORD_OF_ALL ? this.size : this.#bearers.get(keyword);
  }
}

/** A copy. */
function wordsOf(...parts: readonly Uint8Array[]): Uint32Array {
  return new Uint32Array(new Uint8Array(Buffer.concat(parts)).buffer);
}
