import { mostVoted } from './shortlist.ts';

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

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The score that a slot must have to be one of the best, as far as is known; 0 while there are fewer than the limit. */
  get least(): number {
    return this.#scores.length < this.#limit ? 0 : (this.#scores.at(-1) ?? Infinity);
  }

  /** @param scores  whole numbers above 0, one a slot */
  take(slots: Uint32Array, scores: Float64Array): void {
    const all = new Float64Array(this.#scores.length + scores.length);
    all.set(this.#scores);
    all.set(scores, this.#scores.length);
    const known = this.#slots.length;
    const best = mostVoted(all, this.#limit);
    this.#slots = Uint32Array.from(best, (i) => (i < known ? this.#slots[i] : slots[i - known]));
    this.#scores = Float64Array.from(best, (i) => all[i]);
  }

  /** Highest first, ties in the order in which they were taken. */
  get best(): Scored {
    return { slots: this.#slots, scores: this.#scores };
  }
}
