/**
 * Reads all rows with numbers from 1 to `highest` around unreadable ones: a range that fails is read in halves, down to
 * the single number.
 *
 * @param rows  the rows of a range, at most as many as it has numbers: a row beyond it may be unreadable and must not
 *   be read. Throws if one of them is unreadable
 * @returns the ranges of unreadable numbers, ascending, whether rows with such numbers exist or not
 */
export function sweep<Row extends { readonly number: number }>(
  rows: (from: number, to: number, most: number) => readonly Row[],
  highest: number,
  found: (row: Row) => void,
): Span[] {
  const unreadable: Span[] = [];
  let width = ROWS;
  let failures = 0;
  for (let first = 1; first <= highest;) {
    const last = Math.min(highest, first + width - 1);
    try {
      const range = rows(first, last, last - first + 1);
      // a damaged page may contain rows of other places
      for (const row of range) if (row.number >= first && row.number <= last) found(row);
      if (range.length < ROWS) width *= 2;
      first = last + 1;
    } catch {
      width = Math.max(1, Math.floor((last - first + 1) / 2));
      if (last > first) continue;
      // the end of a range may be damaged too, and lie anywhere
      const end = ++failures < MOST_FAILURES ? first : highest;
      const open = unreadable.at(-1);
      if (open?.[1] === first - 1) unreadable[unreadable.length - 1] = [open[0], end];
      else unreadable.push([first, end]);
      first = end + 1;
    }
  }
  return unreadable;
}

/** Numbers, both ends included. */
export type Span = readonly [first: number, last: number];

/** About as many rows are read at once. */
const ROWS = 1024;

/** After as many unreadable numbers, the rest of the range is given up. */
const MOST_FAILURES = 1_000_000;

export function isWithin(spans: readonly Span[], number: number): boolean {
  return spans.some(([first, last]) => number >= first && number <= last);
}

/** Undefined if what is read fails. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
