import { createHash } from 'node:crypto';
import type { Item, Source } from './source.ts';

/** A source that was listed before what is stored of it is read. */
export interface Listing {
  readonly count: number;
  /** Another one where an item is; undefined where the listing is not whole, or an item is being written. */
  readonly digest: string | undefined;
  /** Lists the same items again. */
  readonly source: Source;
}

/** Ends with an exception only where the signal aborts. */
export async function listingOf(source: Source, signal: AbortSignal): Promise<Listing> {
  const items: Item[] = [];
  const hash = createHash('sha256');
  let fault: { readonly cause: unknown } | undefined;
  try {
    for await (const item of source.list(signal)) {
      items.push(item);
      hash.update(JSON.stringify([item.key, item.version]));
    }
  } catch (cause) {
    signal.throwIfAborted();
    fault = { cause };
  }
  const isSettled = !fault && items.every(({ version }) => version !== null);
  const listed: Source = {
    async *list() {
      yield* items;
      if (fault) throw fault.cause;
    },
    read: (item, reading) => source.read(item, reading),
  };
  return { count: items.length, digest: isSettled ? hash.digest('hex') : undefined, source: listed };
}
