import { PAGE, Records } from './records.ts';

/** A part of a saved catalogue. */
export interface Section {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Makes the sections of a saved catalogue. A keyword is saved once; pictures have its place among the saved ones. */
export class CatalogueSections {
  readonly #pictures: Records;
  readonly #keywords: Records;
  readonly #page = new RecordPage();
  #numbers: number[] = [];
  #checksums: number[] = [];
  /** By text, since a handle may get another text meanwhile. */
  readonly #places = new Map<string, number>();
  readonly #placesByHandle = new Map<number, number>();

  constructor(pictures: Records, keywords: Records) {
    this.#pictures = pictures;
    this.#keywords = keywords;
  }

  /** @returns the sections of earlier pictures, if they are full */
  add(picture: number, number: number, checksum: number): Section[] {
    const record = this.#pictures.words(picture).slice();
    const keywords = this.#pictures.numbers(picture);
    for (let i = 0; i < keywords.length; i++) record[1 + i] = this.#placeOf(keywords[i]!);
    const full = this.#page.hasRoom(record) ? [] : this.#take();
    this.#page.add(record);
    this.#numbers.push(number);
    this.#checksums.push(checksum);
    return full;
  }

  /** Of a keyword that no picture has any more, so that its handle may get another text. */
  forget(keyword: number): void {
    this.#placesByHandle.delete(keyword);
  }

  /** The last pictures, and the keywords of all. */
  *end(): Generator<Section> {
    if (this.#numbers.length > 0) yield* this.#take();
    const keywords = new Records();
    for (const text of this.#places.keys()) {
      const record = keywords.words(keywords.add(text, []));
      if (!this.#page.hasRoom(record)) yield { name: 'keywords', bytes: this.#page.take() };
      this.#page.add(record);
    }
    yield { name: 'keywords', bytes: this.#page.take() };
  }

  #take(): Section[] {
    const [numbers, checksums] = [Uint32Array.from(this.#numbers), Uint32Array.from(this.#checksums)];
    [this.#numbers, this.#checksums] = [[], []];
    return [
      { name: 'pictures', bytes: this.#page.take() },
      { name: 'numbers', bytes: bytesOf(numbers) },
      { name: 'checksums', bytes: bytesOf(checksums) },
    ];
  }

  #placeOf(keyword: number): number {
    const known = this.#placesByHandle.get(keyword);
    if (known !== undefined) return known;
    const text = this.#keywords.text(keyword);
    const place = this.#places.get(text) ?? this.#places.size;
    this.#places.set(text, place);
    this.#placesByHandle.set(keyword, place);
    return place;
  }
}

/** The words of records that are saved together. */
class RecordPage {
  readonly #words = new Uint32Array(PAGE);
  #used = 0;

  hasRoom({ length }: Uint32Array): boolean {
    return this.#used + length <= PAGE;
  }

  add(record: Uint32Array): void {
    this.#words.set(record, this.#used);
    this.#used += record.length;
  }

  /** What was added since the last call. */
  take(): Uint8Array {
    const used = this.#words.slice(0, this.#used);
    this.#used = 0;
    return bytesOf(used);
  }
}

function bytesOf({ buffer }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer);
}
