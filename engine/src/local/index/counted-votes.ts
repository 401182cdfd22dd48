import { type Kernels } from '../../kernels/kernels.ts';
import type { Scored } from '../../partition/best-scores.ts';
import type { Steps } from '../../steps.ts';

/** What a posting gains that differs in so many bits, in 1/256. Measured, see docs/experiments/2026-11-22-finer-terms.md. */
export const NEARNESS_WEIGHTS = Uint16Array.from({ length: 41 }, (_, off) => {
  const near = Math.max(0, 1 - (off * off) / 156.25);
  return Math.round(256 * near * near * near * near);
});

/** Entries of a query that are looked up in one piece of work. */
const ENTRIES_PER_STEP = 128;
/** Slots with votes whose scores are reckoned in one piece of work. */
const SLOTS_PER_STEP = 1 << 16;
/** Numbers that the scores are counted in; see `scores` in assembly/scores.ts. */
const SCORE_BINS = 1 << 16;

/** A query in one variant: entries of four numbers, by word; see `vote` in assembly/list-votes.ts. */
export type ListQuery = Uint32Array;

/** Lists in the memory of an instance of their own. */
export interface Lists {
  readonly kernels: Pick<Kernels, 'memory' | 'keepMost' | 'scores' | 'select'>;
  /** Where `NEARNESS_WEIGHTS` is. */
  readonly nearness: number;
  /** Memory above the lists. */
  readonly spare: (bytes: number) => number;
  readonly vote: Kernels['vote'];
}

/** Of those with the highest scores. */
export interface Best {
  /** So many, and all that tie with the last one; further ones may be listed. Above 0. */
  readonly limit: number;
  /** Those with lower scores are not listed. Above 0. */
  readonly least: number;
}

/**
 * The slots with the highest scores, in the variant in which their votes are most: each entry gives the largest gain, once.
 * @param slots       how many there are
 * @param writeNorms  of each slot what its votes are divided by, see `scoreOf`; 0 for one that is not to be found
 */
export function* bestOf(
  { kernels, nearness, spare, vote }: Lists,
  variants: readonly ListQuery[],
  { slots, writeNorms }: { readonly slots: number; readonly writeNorms: (into: Uint16Array) => void },
  { limit, least }: Best,
): Steps<Scored> {
  const bytes = (at: number, n: number) => new Uint8Array(kernels.memory.buffer, at, n);
  const integers = (at: number, n: number) => new Uint32Array(kernels.memory.buffer, at, n);
  const longest = Math.max(...variants.map(({ length }) => length));
  const given = spare(22 * slots + 4 * longest + 4 * SCORE_BINS);
  const best = given + 8 * slots;
  const own = best + 4 * slots;
  const every = own + 4 * slots;
  const at = every + 4 * slots;
  const bins = at + 4 * longest;
  const divisors = bins + 4 * SCORE_BINS;
  bytes(given, 12 * slots).fill(0);
  let found = 0;
  for (const entries of variants) {
    integers(at, entries.length).set(entries);
    const count = entries.length / 4;
    let voted = 0;
    for (let from = 0; from < count; from += ENTRIES_PER_STEP) {
      const to = Math.min(from + ENTRIES_PER_STEP, count);
      voted = vote(at, from, to, nearness, given, own, voted);
      yield;
    }
    found = kernels.keepMost(given, own, voted, best, every, found);
  }
  writeNorms(new Uint16Array(kernels.memory.buffer, divisors, slots));
  bytes(bins, 4 * SCORE_BINS).fill(0);
  const scores = given;
  for (let from = 0; from < found; from += SLOTS_PER_STEP, yield) {
    const n = Math.min(SLOTS_PER_STEP, found - from);
    kernels.scores(every + 4 * from, n, best, divisors, scores + 4 * from, bins);
  }
  // the votes are not needed any more
  const count = kernels.select(every, found, scores, bins, limit, least, best);
  return scoredIn(integers(best, 2 * count));
}

function scoredIn(pairs: Uint32Array): Scored {
  const [slots, scores] = [new Uint32Array(pairs.length / 2), new Uint32Array(pairs.length / 2)];
  for (let i = 0; i < slots.length; i++) {
    slots[i] = pairs[2 * i];
    scores[i] = pairs[2 * i + 1];
  }
  return { slots, scores };
}
