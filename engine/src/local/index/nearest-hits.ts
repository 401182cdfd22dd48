import { MAX_HAMMING_DISTANCE } from './hits.ts';

/** Hits that a list begins with room for. */
const INITIAL_HITS = 32;

/**
 * The nearest of a picture's hits, at most `most`, in the order in which they came; of equal ones the first. A list of
 * twice as many is cut whenever it is full, and what is no nearer than its farthest is refused from then on.
 */
export class NearestHits {
  readonly #most: number;
  #count = 0;
  /** Head and feature of each. */
  #hits = new Uint32Array(2 * INITIAL_HITS);
  /** Hits at this distance and beyond are refused. */
  #limit = MAX_HAMMING_DISTANCE + 1;

  constructor(most: number) {
    this.#most = most;
  }

  /** @param head  the entry | the Hamming distance << 16 */
  take(head: number, feature: number): void {
    if (head >>> 16 >= this.#limit) return;
    if (2 * this.#count === this.#hits.length) this.#makeRoom();
    this.#hits[2 * this.#count] = head;
    this.#hits[2 * this.#count++ + 1] = feature;
  }

  /** Head and feature of each. */
  end(): Uint32Array {
    this.#cut();
    return this.#hits.subarray(0, 2 * this.#count);
  }

  #makeRoom(): void {
    if (this.#count >= 2 * this.#most) return this.#cut();
    const larger = new Uint32Array(4 * Math.min(this.#count, this.#most));
    larger.set(this.#hits);
    this.#hits = larger;
  }

  #cut(): void {
    if (this.#count <= this.#most) return;
    const hits = this.#hits;
    const counts = new Uint32Array(MAX_HAMMING_DISTANCE + 1);
    for (let i = 0; i < this.#count; i++) counts[hits[2 * i] >>> 16]++;
    let [last, left] = [0, this.#most];
    while (counts[last] < left) left -= counts[last++];
    let kept = 0;
    for (let i = 0; i < this.#count; i++) {
      const distance = hits[2 * i] >>> 16;
      if (distance > last || (distance === last && left-- <= 0)) continue;
      hits[2 * kept] = hits[2 * i];
      hits[2 * kept++ + 1] = hits[2 * i + 1];
    }
    this.#count = kept;
    this.#limit = last;
  }
}
