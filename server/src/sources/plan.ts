import { isOwn, type Entry } from './entries.ts';
import { imageIdOf } from './image-ids.ts';
import type { Item, Source } from './source.ts';

/** A picture to read: it is new, has another version, or failed before. */
export interface Work {
  readonly id: string;
  readonly item: Item & { readonly version: string };
  /** What is known of the picture so far. */
  readonly entry: Entry | undefined;
}

/** How a listing differs from what is stored. */
export interface Plan {
  readonly work: readonly Work[];
  /** Entries whose pictures are not in the listing; none where it is not whole. */
  readonly missing: ReadonlyMap<string, Entry>;
  readonly listed: number;
  /** Why the listing is not whole. */
  readonly fault: Error | undefined;
  /** Whether the next pass lists more. */
  readonly isUnfinished: boolean;
}

interface Options {
  readonly prefix: string;
  /** Whether pictures are tried again that failed in the same version. */
  readonly retry: boolean;
  readonly signal: AbortSignal;
}

/** Fails only where the signal aborts. */
export async function planOf(
  source: Pick<Source, 'list' | 'isPartial' | 'isUnfinished'>,
  entries: ReadonlyMap<string, Entry>,
  { prefix, retry, signal }: Options,
): Promise<Plan> {
  const work: Work[] = [];
  const missing = new Map(entries);
  const known = retry ? new Map([...entries].filter(([, { fault }]) => !fault)) : entries;
  let listed = 0;
  let fault: Error | undefined;
  try {
    for await (const item of source.list(signal, known)) {
      const id = imageIdOf(prefix, item.key);
      const entry = entries.get(id);
      missing.delete(id);
      listed++;
      const { version } = item;
      if (version === null) continue; // of a picture that is being written
      if (isDue(entry, version, retry)) work.push({ id, item: { ...item, version }, entry });
    }
    if (source.isPartial) missing.clear();
  } catch (cause) {
    signal.throwIfAborted();
    fault = cause as Error;
    missing.clear();
  }
  return { work, missing, listed, fault, isUnfinished: source.isUnfinished ?? false };
}

function isDue(entry: Entry | undefined, version: string, retry: boolean): boolean {
  if (!entry || entry.pending || entry.version !== version) return true;
  return entry.fault !== undefined && (retry || entry.fault.code === 0);
}

/** Removing as many pictures needs no answer, unless the listing is empty. */
const REMOVALS_WITHOUT_ANSWER = 10;
/** Removing a larger share of the pictures of a source needs an answer. */
const SHARE_WITHOUT_ANSWER = 0.1;

/** Whether somebody must agree before as many pictures are removed. */
export function needsAnswer(removals: number, pictures: number, listed: number): boolean {
  if (removals === 0) return false;
  return listed === 0 || removals > Math.max(REMOVALS_WITHOUT_ANSWER, SHARE_WITHOUT_ANSWER * pictures);
}

/** How a pass would change the application. */
export interface Changes {
  readonly listed: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export function changesOf({ work, missing, listed }: Plan): Changes {
  const changed = work.filter(({ entry }) => entry).length;
  return { listed, added: work.length - changed, changed, removed: [...missing.values()].filter(isOwn).length };
}
