import type { TermRange } from '../metadata-terms.ts';
import { Postings } from './postings.ts';
import type { Records } from './records.ts';

/** The keyword of the only list. */
const TERMS = 0;

/** Terms start with a control character, and so sort before it; other keywords do not. */
const SPACE_BYTES = Buffer.from(' ');

/** The terms of metadata among keywords, in the order of their bytes. Other keywords are left out. */
export class TermList {
  readonly #keywords: Records;
  readonly #terms: Postings;

  constructor(keywords: Records) {
    this.#keywords = keywords;
    this.#terms = new Postings((a, b) => keywords.compare(a, b));
  }

  add(keyword: number): void {
    if (this.#isTerm(keyword)) this.#terms.insert(TERMS, keyword);
  }

  /** To be called before the keyword itself is removed. */
  remove(keyword: number): void {
    if (this.#isTerm(keyword)) this.#terms.remove(TERMS, keyword);
  }

  within([from, to]: TermRange): Uint32Array {
    const [first, end] = [this.#place(from), this.#place(to)];
    return this.#terms.pictures(first, 0, Math.max(0, this.#terms.between(first, end)));
  }

  #isTerm(keyword: number): boolean {
    return this.#keywords.compareWith(keyword, SPACE_BYTES) < 0;
  }

  #place(bound: string) {
    const bytes = Buffer.from(bound);
    return this.#terms.lowerBound(TERMS, (term) => this.#keywords.compareWith(term, bytes) < 0);
  }
}
