import { type Kernels } from '../../kernels/kernels.ts';
import type { Steps } from '../../steps.ts';

/** What a posting gains that differs in so many bits, in 1/256. Measured, see docs/experiments/2026-11-22-finer-terms.md. */
export const NEARNESS = Uint16Array.from({ length: 41 }, (_, off) => {
  const near = Math.max(0, 1 - (off * off) / 156.25);
  return Math.round(256 * near * near * near * near);
});

/** Entries of a query that are looked up in one piece of work. */
const PIECE = 128;
/** Slots with votes that are compared with the least score in one piece of work. */
const SELECTED = 1 << 13;

/** A query in one variant: entries of four numbers, by word; see `vote` in assembly/lists.ts. */
export type ListQuery = Uint32Array;

/** Lists in the memory of an instance of their own. */
export interface Lists {
  readonly kernels: Pick<Kernels, 'memory' | 'keepMost' | 'select'>;
  /** Where `NEARNESS` is. */
  readonly nearness: number;
  /** Memory above the lists. */
  readonly spare: (bytes: number) => number;
  readonly vote: Kernels['vote'];
}

/**
 * The slots with votes, in the variant in which they are most: each entry gives the largest gain, once.
 * @param norms  of all slots
 * @param least  of the score of a slot that is listed; may grow from one call of `take` to the next
 * @param take   gets slots and their votes, a view, several times
 */
export function* countVotes(
  { kernels, nearness, spare, vote }: Lists,
  variants: readonly ListQuery[],
  norms: Uint16Array,
  least: () => number,
  take: (pairs: Uint32Array) => void,
): Steps<void> {
  const bytes = (at: number, n: number) => new Uint8Array(kernels.memory.buffer, at, n);
  const integers = (at: number, n: number) => new Uint32Array(kernels.memory.buffer, at, n);
  const slots = norms.length;
  const longest = Math.max(...variants.map(({ length }) => length));
  const given = spare(22 * slots + 4 * longest);
  const best = given + 8 * slots;
  const own = best + 4 * slots;
  const every = own + 4 * slots;
  const at = every + 4 * slots;
  const divisors = at + 4 * longest;
  bytes(given, 12 * slots).fill(0);
  let found = 0;
  for (const entries of variants) {
    integers(at, entries.length).set(entries);
    const count = entries.length / 4;
    let voted = 0;
    for (let from = 0; from < count; from += PIECE) {
      const to = Math.min(from + PIECE, count);
      voted = vote(at, from, to, nearness, given, own, voted);
      yield;
    }
    found = kernels.keepMost(given, own, voted, best, every, found);
  }
  bytes(divisors, 2 * slots).set(new Uint8Array(norms.buffer, norms.byteOffset, 2 * slots));
  for (let from = 0; from < found; from += SELECTED) {
    const n = Math.min(SELECTED, found - from);
    const count = kernels.select(every + 4 * from, n, best, divisors, least(), given);
    take(integers(given, 2 * count));
  }
}
