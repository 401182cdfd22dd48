import { type Color, MAX_COLORS } from '../dna/palette.ts';
import { type Lab, oklab } from './oklab.ts';

/** @param colors  0xrrggbb */
export function labsOf(colors: readonly number[]): Lab[] {
  return colors.map((rgb) => oklab(rgb >> 16, (rgb >> 8) & 255, rgb & 255));
}

/** Distance at which a colour counts half, and from which on it counts nothing. */
const HALF_LIKENESS_DISTANCE = 0.08;
const MAX_COLOUR_DISTANCE = 0.2;
/** The shares of a picture sum to at most this. */
const TOTAL_SHARE_PERCENT = 100;

/** How far a colour counts as another: 1 for the same, falling slowly at first. @param d  distance in OKLab, squared */
function likeness(d: number): number {
  if (d >= MAX_COLOUR_DISTANCE * MAX_COLOUR_DISTANCE) return 0;
  const x = d / (HALF_LIKENESS_DISTANCE * HALF_LIKENESS_DISTANCE);
  return 1 / (1 + x * x);
}

/**
 * How much the colours of a picture miss those of a query: 1 - common / all, where `common` is what can be shared out between the two
 * sides, nearest pairs first and counted by likeness, and `all` is what the query has and what the picture holds of these colours
 * beyond that. Further colours of the picture do no harm. Where all shares of the query are 0 (none of these colours), it is how
 * much of a whole picture is held of them.
 */
export class ColorDistance {
  readonly #query: readonly Lab[];
  readonly #shares: readonly number[];
  readonly #total: number;
  readonly #wanted: Float64Array;
  readonly #left: Float64Array;
  /** Of each held colour: what is left of it, times its best likeness. */
  readonly #beyond: Float64Array;
  /** Pairs that are alike, best first: likeness, and query * most + held. */
  readonly #alike: Float64Array;
  readonly #pairs: Uint32Array;

  constructor(query: readonly Color[]) {
    this.#query = labsOf(query.map(({ rgb }) => rgb));
    this.#shares = query.map(({ share }) => share);
    this.#total = query.reduce((sum, { share }) => sum + share, 0);
    this.#wanted = new Float64Array(query.length);
    this.#left = new Float64Array(MAX_COLORS);
    this.#beyond = new Float64Array(MAX_COLORS);
    this.#alike = new Float64Array(query.length * MAX_COLORS);
    this.#pairs = new Uint32Array(query.length * MAX_COLORS);
  }

  /**
   * @param held  from `start` on, columns of MAX_COLORS numbers, of which `n` count: L, a, b, and shares in per cent
   * @returns 0 when every colour of the query is there in its share, 1 when none is there at all
   */
  to(held: Float32Array, start: number, n: number): number {
    const pairs = this.#pair(held, start, n);
    if (pairs === 0) return this.#total > 0 ? 1 : 0;
    for (let i = 0; i < this.#wanted.length; i++) this.#wanted[i] = this.#shares[i];
    for (let j = 0; j < n; j++) this.#left[j] = held[start + 3 * MAX_COLORS + j];
    let missing = 0;
    for (let k = 0; k < pairs; k++) {
      const i = (this.#pairs[k] / MAX_COLORS) | 0;
      const j = this.#pairs[k] % MAX_COLORS;
      const flow = Math.min(this.#wanted[i], this.#left[j]);
      this.#wanted[i] -= flow;
      this.#left[j] -= flow;
      missing += flow * (1 - this.#alike[k]);
    }
    for (let i = 0; i < this.#wanted.length; i++) missing += this.#wanted[i];
    const beyond = this.#excess(pairs, n);
    return (missing + beyond) / (this.#total > 0 ? this.#total + beyond : TOTAL_SHARE_PERCENT);
  }

  /** Finds the pairs that are alike at all, and puts them in order; gives their number. */
  #pair(held: Float32Array, start: number, n: number): number {
    let count = 0;
    this.#query.forEach(([L, a, b], i) => {
      for (let j = 0; j < n; j++) {
        const x = L - held[start + j];
        const y = a - held[start + MAX_COLORS + j];
        const z = b - held[start + 2 * MAX_COLORS + j];
        const alike = likeness(x * x + y * y + z * z);
        if (alike > 0) this.#insert(count++, alike, MAX_COLORS * i + j);
      }
    });
    return count;
  }

  /** Behind all that are as much alike: the order of arrival stays. */
  #insert(count: number, alike: number, pair: number): void {
    let k = count;
    for (; k > 0 && this.#alike[k - 1] < alike; k--) {
      this.#alike[k] = this.#alike[k - 1];
      this.#pairs[k] = this.#pairs[k - 1];
    }
    this.#alike[k] = alike;
    this.#pairs[k] = pair;
  }

  #excess(pairs: number, n: number): number {
    const beyond = this.#beyond.fill(0, 0, n);
    for (let k = 0; k < pairs; k++) {
      const j = this.#pairs[k] % MAX_COLORS;
      beyond[j] = Math.max(beyond[j], this.#alike[k] * this.#left[j]);
    }
    let sum = 0;
    for (let j = 0; j < n; j++) sum += beyond[j];
    return sum;
  }
}
