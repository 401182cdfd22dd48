import type { ImageNumber } from '@sosia/engine';
import type { Page, Restriction } from './references.ts';
import { compareBytes } from './byte-order.ts';

/** A reference picture without its DNA. */
export interface Entry {
  readonly number: ImageNumber;
  readonly id: string;
  readonly keywords: readonly string[];
}

/** The reference pictures of one application in memory: by id, by number and by keyword. */
export class Catalogue {
  readonly #byId = new Map<string, Entry>();
  readonly #byNumber = new Map<ImageNumber, Entry>();
  /** Ascending numbers; a keyword without pictures has no list. */
  readonly #byKeyword = new Map<string, { readonly keyword: string; readonly numbers: ImageNumber[] }>();
  /** All pictures by the bytes of their ids, except for changes since the last listing. */
  #order: Entry[] = [];
  #orderIsStale = false;
  /** The last listing, until a picture is added or removed: a page is usually followed by the next. */
  #listed?: { readonly restriction: string; readonly entries: readonly Entry[] } | undefined;

  get size(): number {
    return this.#byId.size;
  }

  withId(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  withNumber(number: ImageNumber): Entry | undefined {
    return this.#byNumber.get(number);
  }

  add({ number, id, keywords }: Entry): void {
    // one text in memory for each keyword, for any number of pictures
    const shared = keywords.map((keyword) => this.#insert(keyword, number));
    const entry = { number, id, keywords: shared };
    this.#byId.set(id, entry);
    this.#byNumber.set(number, entry);
    this.#order.push(entry);
    this.#changed();
  }

  remove({ number, id, keywords }: Entry): void {
    this.#byId.delete(id);
    this.#byNumber.delete(number);
    for (const keyword of keywords) {
      const { numbers } = this.#byKeyword.get(keyword)!;
      numbers.splice(placeOf(number, numbers), 1);
      if (numbers.length === 0) this.#byKeyword.delete(keyword);
    }
    this.#changed();
  }

  /** The selected numbers, ascending; null without a restriction. */
  select({ keywords, ids }: Restriction): Uint32Array | null {
    if (ids === null && keywords.length === 0) return null;
    const first = ids === null ? this.#rarest(keywords) : this.#numbersOf(ids);
    return Uint32Array.from(first.filter((number) => bears(this.#byNumber.get(number)!, keywords)));
  }

  /** A page of the selected pictures, by the bytes of their ids; of those after `after` if it is set. */
  page(restriction: Restriction, { start, count }: Page, after?: string): { found: number; entries: Entry[] } {
    const all = this.#list(restriction);
    const first = after === undefined ? 0 : placeBehind(after, all);
    return { found: all.length - first, entries: all.slice(first + start, first + start + count) };
  }

  #list(restriction: Restriction): readonly Entry[] {
    const { keywords, ids } = restriction;
    if (ids === null && keywords.length === 0) return this.#ordered();
    const wanted = JSON.stringify([keywords, ids]);
    if (this.#listed?.restriction !== wanted)
      this.#listed = { restriction: wanted, entries: this.#filtered(restriction) };
    return this.#listed.entries;
  }

  #filtered(restriction: Restriction): Entry[] {
    const { keywords, ids } = restriction;
    const most = keywords.length > 0 ? this.#rarest(keywords).length : this.size;
    if (ids === null && most > this.size / 8) return this.#ordered().filter((entry) => bears(entry, keywords));
    const numbers = this.select(restriction) ?? [];
    return Array.from(numbers, (number) => this.#byNumber.get(number)!).sort(byId);
  }

  /** The order of two numbers by the bytes of their ids; removed pictures come first, by number. */
  readonly compare = (a: ImageNumber, b: ImageNumber): number =>
    compareBytes(this.withNumber(a)?.id ?? '', this.withNumber(b)?.id ?? '') || a - b;

  #changed(): void {
    this.#orderIsStale = true;
    this.#listed = undefined;
  }

  #insert(keyword: string, number: ImageNumber): string {
    let list = this.#byKeyword.get(keyword);
    if (!list) this.#byKeyword.set(keyword, (list = { keyword, numbers: [] }));
    list.numbers.splice(placeOf(number, list.numbers), 0, number);
    return list.keyword;
  }

  /** Sorting a mostly sorted list is nearly linear. */
  #ordered(): readonly Entry[] {
    if (!this.#orderIsStale) return this.#order;
    this.#order = this.#order.filter((entry) => this.#byNumber.get(entry.number) === entry).sort(byId);
    this.#orderIsStale = false;
    return this.#order;
  }

  #rarest(keywords: readonly string[]): readonly ImageNumber[] {
    const lists = keywords.map((keyword) => this.#byKeyword.get(keyword)?.numbers ?? []);
    return lists.reduce((rarest, list) => (list.length < rarest.length ? list : rarest));
  }

  #numbersOf(ids: readonly string[]): ImageNumber[] {
    const numbers = [...new Set(ids)].flatMap((id) => this.#byId.get(id)?.number ?? []);
    return numbers.sort((a, b) => a - b);
  }
}

function bears({ keywords: borne }: Entry, keywords: readonly string[]): boolean {
  return keywords.every((keyword) => borne.includes(keyword));
}

function byId(a: Entry, b: Entry): number {
  return compareBytes(a.id, b.id);
}

/** The number of pictures up to an id, inclusive, in a list by the bytes of ids. */
function placeBehind(id: string, entries: readonly Entry[]): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(entries[middle]!.id, id) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The position of a number in an ascending list, or its insertion point. Checks the end first: most are appended. */
function placeOf(number: ImageNumber, numbers: readonly ImageNumber[]): number {
  let low = 0;
  let high = numbers.length;
  if (high > 0 && numbers[high - 1]! < number) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
