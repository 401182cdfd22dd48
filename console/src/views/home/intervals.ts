/** Intervals of five minutes, in bars of a chart. */
export const periods = {
  '3 hours': { bars: 36, each: 1 },
  '24 hours': { bars: 48, each: 6 },
} as const;
export type Period = keyof typeof periods;

export function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The sums of the values of each time. */
export function summed(...lists: readonly (readonly number[])[]): number[] {
  return lists[0]!.map((_, i) => total(lists.map((values) => values[i]!)));
}

export function mean(totals: readonly number[], counts: readonly number[]): number {
  return total(totals) / Math.max(1, total(counts));
}
