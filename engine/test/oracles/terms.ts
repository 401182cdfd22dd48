import type { Codebooks, Word } from './words.ts';

/** What a change costs: a whole number and so much a unit. */
export interface Costs {
  readonly bits: readonly { readonly axis: number; readonly weight: number }[];
  readonly words: readonly { readonly cost: number; readonly weight: number }[];
}

/** Twin of assembly/terms.ts, for one vector: every set of flipped bits of every word, sorted. */
export function terms(
  vector: Float32Array,
  words: readonly Required<Word>[],
  { medians }: Codebooks,
  costs: Costs,
  most: number,
): number[] {
  const all = words.flatMap(({ word, far, signature }, k) => {
    const further = Math.trunc(Math.fround(Math.fround(far - words[0].far) * costs.words[k].weight));
    const start = Math.min(4095, costs.words[k].cost + further);
    const flips = costs.bits.map(({ axis, weight }, bit) => {
      const median = axis < 32 ? medians[32 * (word >> 8) + axis] : medians[32 * (256 + (word & 255)) + axis - 32];
      const margin = Math.abs(Math.fround(vector[axis] - median));
      return { bit, cost: Math.trunc(Math.min(255, Math.fround(margin * weight))) };
    });
    flips.sort((a, b) => a.cost - b.cost); // stable: equal costs keep the order of the bits
    const own = costs.bits.reduce((bits, { axis }, bit) => bits | (Number((signature >> BigInt(axis)) & 1n) << bit), 0);
    return Array.from({ length: 4096 }, (_, set) => {
      const flipped = flips.filter((_, place) => (set >> place) & 1);
      const cost = flipped.reduce((sum, each) => sum + each.cost, start);
      return { k, set, cost, term: word * 4096 + flipped.reduce((bits, { bit }) => bits ^ (1 << bit), own) };
    });
  });
  all.sort((a, b) => a.cost - b.cost || a.k - b.k || a.set - b.set);
  return all.slice(0, most).map(({ term }) => term);
}
