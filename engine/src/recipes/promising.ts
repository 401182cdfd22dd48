import type { Candidate } from './recipe.ts';

/** The `limit` that promise most with all that tie with the last, and every exact copy besides. */
export function mostPromising(found: Candidate[], limit: number): Candidate[] {
  const others = found.filter(({ exact }) => !exact);
  const rising = Float64Array.from(others, ({ votes }) => votes).sort();
  const least = limit > 0 ? (rising.at(-limit) ?? 0) : Infinity;
  const promising = others.filter(({ votes }) => votes >= least);
  promising.sort((a, b) => b.votes - a.votes || a.image - b.image);
  return [...found.filter(({ exact }) => exact), ...promising];
}
