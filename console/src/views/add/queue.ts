import { errorCodes } from '@sosia/client/error-codes';
import type { ApplicationType } from '@sosia/engine';
import { ask, CallError, requestFor } from '../../api/call.ts';
import { describeHere } from '../../dna/describe-here.ts';
import type { NamedFile } from '../../intake/dropped-files.ts';
import { AtOnce } from '../../parts/at-once.ts';
import { Store } from '../../parts/store.ts';

/** One file in the queue. */
export interface Item {
  readonly id: string;
  readonly file: File;
  readonly keywords: readonly string[];
  readonly state: 'waiting' | 'sending' | 'added' | 'exists' | 'failed';
  /** 0 to 4, if the type grades, and the reasons for a low grade. */
  readonly grade?: number;
  readonly reasons?: readonly string[];
  readonly error?: CallError;
}

export interface Way {
  readonly type: ApplicationType;
  /** Whether the DNA is made in the browser and sent instead of the picture. */
  readonly here: boolean;
}

/** Pictures at once. */
const sending = new AtOnce(3);

/** The files of all additions, for every view. Items are replaced in place, so that a change does not copy the list. */
export const queue = new Store<{ readonly items: Item[] }>({ items: [] });

let handedOver: readonly NamedFile[] = [];

/** For the view Add, which is shown next. */
export function handOver(files: readonly NamedFile[]): void {
  handedOver = files;
}

/** The files that another view received, once. */
export function takeOver(): readonly NamedFile[] {
  const files = handedOver;
  handedOver = [];
  return files;
}

let way: Way = { type: 'media-matching', here: false };

/** @param withFolders  whether the folders of a file become its keywords */
export function enqueue(
  files: readonly NamedFile[],
  chosen: Way,
  keywords: readonly string[],
  withFolders: boolean,
): void {
  way = chosen;
  const fresh = files.map(({ name, file }): Item => {
    const folders = withFolders ? name.split('/').slice(0, -1) : [];
    return { id: idOf(name), file, keywords: [...new Set([...keywords, ...folders])], state: 'waiting' };
  });
  sendAll(queue.value.items, fresh);
}

export function isAdding(): boolean {
  return queue.value.items.some(({ state }) => state === 'waiting' || state === 'sending');
}

/** Queues the failed files again. */
export function retryFailed(): void {
  const { items } = queue.value;
  const failed = items
    .filter(({ state }) => state === 'failed')
    .map(({ id, file, keywords }): Item => ({ id, file, keywords, state: 'waiting' }));
  sendAll(
    items.filter(({ state }) => state !== 'failed'),
    failed,
  );
}

/** Empties the list. Files in progress are finished. */
export function clear(): void {
  queue.set({ items: [] });
}

/** A valid image id from a name below a folder. */
export function idOf(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/[\p{Cc};]/gu, '_')
    .trim();
}

function sendAll(before: readonly Item[], fresh: readonly Item[]): void {
  queue.set({ items: [...before, ...fresh] });
  for (const item of fresh) void sending.run(() => send(item));
}

async function send(item: Item): Promise<void> {
  if (!queue.value.items.includes(item)) return; // the list was emptied meanwhile
  const sent = change(item, { state: 'sending' });
  change(sent, await add(sent));
}

async function add({ id, file, keywords }: Item): Promise<Partial<Item>> {
  try {
    const picture = way.here ? { dna: await describeHere(file, way.type, 'reference') } : { image_content: file };
    const values = { image_id: id, keywords, ...picture };
    const { grade, reasons } = await ask(requestFor('enginemodify', 'AddImage', values));
    return { state: 'added', ...(grade !== undefined && { grade, reasons: reasons ?? [] }) };
  } catch (cause) {
    const error = cause instanceof CallError ? cause : new CallError(0, (cause as Error).message);
    return error.code === errorCodes.IMAGE_EXISTS ? { state: 'exists' } : { state: 'failed', error };
  }
}

/** Changes nothing if the list was emptied meanwhile. */
function change(item: Item, to: Partial<Item>): Item {
  const changed = { ...item, ...to };
  const { items } = queue.value;
  const at = items.indexOf(item);
  if (at >= 0) items[at] = changed;
  queue.set({ items });
  return changed;
}
