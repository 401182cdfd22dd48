import type { Color } from '../dna/palette.ts';
import { PLACE, placesOf } from './color-distance.ts';

/** From this distance on, in OKLab, two colours have nothing in common; at a third of it, a little under half. */
const REACH = 0.4;

/**
 * How far two palettes are apart as mixtures: each colour is a soft cloud of its share around its place, and what differs is
 * measured where it lies. A colour that is two shades in one of the pictures costs next to nothing, since two clouds
 * side by side are nearly one.
 *
 *     |f - g| / √(|f|² + |g|²)        <f, g> = Σ share · share · k(distance)        k(r) = (1 - r)⁴ (4 r + 1), r = distance / REACH
 *
 * A maximum mean discrepancy (A. Gretton et al., JMLR 13, 2012). The kernel has to be positive definite or the order of what is
 * near is spoiled: this one is, and ends (H. Wendland, Adv. Comput. Math. 4, 1995).
 */
export class MixtureDistance {
  readonly #query: Float64Array;
  readonly #length: number;

  constructor(query: readonly Color[]) {
    this.#query = placesOf(query);
    this.#length = lengthOf(this.#query, 0, query.length);
  }

  /**
   * @param held    places of colours, `n` of them from `start` on
   * @param length  their `lengthOf`
   * @returns 0 for the same palette, 1 where no colour of one is near one of the other
   */
  to(held: Float64Array, start: number, n: number, length: number): number {
    const common = product(this.#query, 0, this.#query.length / PLACE, held, start, n);
    const all = this.#length + length;
    return all > 0 ? Math.sqrt(Math.max(0, all - 2 * common) / all) : 0;
  }
}

/** <f, f> of `n` colours from `start` on. */
export function lengthOf(places: Float64Array, start: number, n: number): number {
  return product(places, start, n, places, start, n);
}

function product(f: Float64Array, start: number, n: number, g: Float64Array, from: number, m: number): number {
  let sum = 0;
  for (let p = start; p < start + PLACE * n; p += PLACE) {
    for (let q = from; q < from + PLACE * m; q += PLACE) {
      const L = f[p] - g[q];
      const a = f[p + 1] - g[q + 1];
      const b = f[p + 2] - g[q + 2];
      const d = L * L + a * a + b * b;
      if (d >= REACH * REACH) continue;
      const r = Math.sqrt(d) / REACH;
      const left = (1 - r) * (1 - r);
      sum += f[p + 3] * g[q + 3] * left * left * (4 * r + 1);
    }
  }
  return sum;
}
