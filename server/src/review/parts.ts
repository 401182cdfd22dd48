import type { Page } from '../applications/references.ts';

/** Pictures that are removed, added or read at a time. */
const PICTURES_AT_A_TIME = 32;

/** Works on all items, some at a time. */
export async function inParts<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let start = 0; start < items.length; start += PICTURES_AT_A_TIME) {
    done.push(...(await Promise.all(items.slice(start, start + PICTURES_AT_A_TIME).map(work))));
  }
  return done;
}

export function partOf<T>(all: readonly T[], { start, count }: Page): T[] {
  return all.slice(start, start + count);
}
