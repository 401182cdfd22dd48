import type { Answers } from './installed.ts';

/** A picture to search with. */
export interface Query {
  readonly kind: string;
  readonly path: string;
  /** The number of the reference that it shows, -1 for none. */
  readonly shows: number;
}

export type Outcome = 'right' | 'wrong' | 'undecided';

/**
 * What each query was answered with. Every second query chooses the threshold of the others: the least score above all of its
 * wrong answers, so none is wrong there.
 */
export function judged(queries: readonly Query[], { best, decides }: Answers): Outcome[] {
  const isRight = (i: number): boolean => best[i]![0] === queries[i]!.shows;
  const highestWrong = (half: number): number =>
    Math.max(-Infinity, ...queries.map((_, i) => (i % 2 === half && !isRight(i) ? best[i]![1] : -Infinity)));
  const limits = [highestWrong(1), highestWrong(0)];
  return queries.map((_, i) => {
    const score = best[i]![1];
    if (decides ? score <= 0 : score <= limits[i % 2]!) return 'undecided';
    return isRight(i) ? 'right' : 'wrong';
  });
}
