import { joined } from '../memory/joined.ts';

/** Slots and the score of each, a whole number below 2^32. */
export interface Scored {
  readonly slots: Uint32Array;
  readonly scores: Uint32Array;
}

/** The slots of the highest scores of several lists, and all that tie with the lowest of them. */
export class BestScores {
  readonly #limit: number;
  #best: Scored = { slots: new Uint32Array(0), scores: new Uint32Array(0) };
  #least: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.#least = limit > 0 ? 1 : Infinity;
  }

  /** No slot with a lower score can be one of the best. */
  get least(): number {
    return this.#least;
  }

  /** In the order in which they were taken. */
  get best(): Scored {
    return this.#best;
  }

  /** @param scores  above 0, one a slot */
  take({ slots, scores }: Scored): void {
    const all = { slots: joined([this.#best.slots, slots]), scores: joined([this.#best.scores, scores]) };
    const { length } = all.scores;
    if (length >= this.#limit && this.#limit > 0) this.#least = all.scores.slice().sort()[length - this.#limit];
    const kept = (_: number, i: number): boolean => all.scores[i] >= this.#least;
    this.#best = { slots: all.slots.filter(kept), scores: all.scores.filter(kept) };
  }
}
