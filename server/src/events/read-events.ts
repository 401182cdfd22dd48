/** The kind of the record of which events were read. */
export const READ_KIND = 'events-read';

/** Which events of an application were read: those up to one, and some behind it. */
export interface ReadEvents {
  readonly upTo: number;
  /** Ascending. */
  readonly also: readonly number[];
}

/** Read events behind unread ones that are stored; then the oldest unread ones count as read. */
const MAX_ALSO = 1000;

export const NONE_READ: ReadEvents = { upTo: 0, also: [] };

export function isRead({ upTo, also }: ReadEvents, number: number): boolean {
  return number <= upTo || also.includes(number);
}

/** @param older  whether all events before it are read, too */
export function withRead(read: ReadEvents, number: number, older: boolean): ReadEvents {
  let upTo = older ? Math.max(read.upTo, number) : read.upTo;
  const also = [...new Set([...read.also, number])].filter((each) => each > upTo).sort((a, b) => a - b);
  while (also[0] === upTo + 1 || also.length > MAX_ALSO) upTo = also.shift()!;
  return { upTo, also };
}

/** @param latest  the number of the latest event */
export function unreadOf({ upTo, also }: ReadEvents, latest: number): number {
  return Math.max(0, latest - upTo - also.length);
}
