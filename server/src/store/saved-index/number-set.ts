/** Numbers of a page, one bit each: 4 KB. */
const PAGE_BITS = 15;
const PAGE = 2 ** PAGE_BITS;

/** A set of whole numbers below 2³², one bit each where they are dense. */
export class NumberSet {
  readonly #pages = new Map<number, Uint32Array>();
  #size = 0;

  /** @param numbers  each once */
  static of(numbers: Iterable<number>): NumberSet {
    const set = new NumberSet();
    for (const number of numbers) set.add(number);
    return set;
  }

  get size(): number {
    return this.#size;
  }

  has(number: number): boolean {
    const page = this.#pages.get(number >>> PAGE_BITS);
    return page !== undefined && (page[(number % PAGE) >>> 5]! & (1 << (number & 31))) !== 0;
  }

  add(number: number): void {
    if (this.has(number)) return;
    let page = this.#pages.get(number >>> PAGE_BITS);
    if (!page) this.#pages.set(number >>> PAGE_BITS, (page = new Uint32Array(PAGE / 32)));
    page[(number % PAGE) >>> 5]! |= 1 << (number & 31);
    this.#size++;
  }

  delete(number: number): void {
    if (!this.has(number)) return;
    this.#pages.get(number >>> PAGE_BITS)![(number % PAGE) >>> 5]! &= ~(1 << (number & 31));
    this.#size--;
  }

  /** Ascending. */
  numbers(): Uint32Array {
    const numbers = new Uint32Array(this.#size);
    let n = 0;
    for (const at of [...this.#pages.keys()].sort((a, b) => a - b)) {
      const page = this.#pages.get(at)!;
      for (let word = 0; word < page.length; word++) {
        for (let bits = page[word]!; bits !== 0; bits &= bits - 1) {
          numbers[n++] = at * PAGE + 32 * word + (31 - Math.clz32(bits & -bits));
        }
      }
    }
    return numbers;
  }
}
