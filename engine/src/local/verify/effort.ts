/**
 * Work that the verification of one query against one reference may take, in comparisons of two features or of a
 * correspondence with a map. Pairs of pictures of the benchmarks need 1.5 million at most, most of them 10,000; only DNA made by hand
 * needs more. The count depends on the two DNAs alone, so that the same pair is cut at the same place wherever it is compared.
 */
export const MAX_COMPARISONS = 4_000_000;

/** The work done so far, and what is left of the budget. */
export class Effort {
  #spent = 0;
  readonly #most: number;

  constructor(most = MAX_COMPARISONS) {
    this.#most = most;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Never below 0, though the last piece of work may have taken more than was left. */
  get left(): number {
    return Math.max(0, this.#most - this.#spent);
  }

  spend(comparisons: number): void {
    this.#spent += comparisons;
  }
}
