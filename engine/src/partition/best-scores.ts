/** Slots and the score of each. */
export interface Scored {
  readonly slots: Uint32Array;
  readonly scores: Float64Array;
}

/** The slots of the highest scores of several lists, and all that tie with the lowest of them. */
export class BestScores {
  readonly #limit: number;
  #slots = new Uint32Array(0);
  #scores = new Float64Array(0);
  #count = 0;
  #least = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A score that no slot below it can be one of the best with, as far as is known; 0 while there are fewer than the limit. */
  get least(): number {
    return this.#limit === 0 ? Infinity : this.#least;
  }

  /** @param scores  whole numbers above 0, one a slot */
  take(slots: Uint32Array, scores: Float64Array): void {
    const count = this.#count + slots.length;
    if (count > this.#slots.length) {
      this.#slots = enlarged(new Uint32Array(2 * count), this.#slots);
      this.#scores = enlarged(new Float64Array(2 * count), this.#scores);
    }
    this.#slots.set(slots, this.#count);
    this.#scores.set(scores, this.#count);
    this.#count = count;
    if (this.#least === 0 || count >= 2 * this.#limit) this.#cut();
  }

  /** In the order in which they were taken. */
  get best(): Scored {
    this.#cut();
    return { slots: this.#slots.slice(0, this.#count), scores: this.#scores.slice(0, this.#count) };
  }

  #cut(): void {
    if (this.#count < this.#limit) return;
    const rising = this.#scores.slice(0, this.#count).sort();
    this.#least = this.#limit === 0 ? Infinity : rising[this.#count - this.#limit];
    let kept = 0;
    for (let i = 0; i < this.#count; i++) {
      if (this.#scores[i] < this.#least) continue;
      this.#slots[kept] = this.#slots[i];
      this.#scores[kept++] = this.#scores[i];
    }
    this.#count = kept;
  }
}

function enlarged<T extends Uint32Array | Float64Array>(into: T, from: T): T {
  into.set(from);
  return into;
}
