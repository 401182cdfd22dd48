import type { ApplicationType } from '@sosia/engine';
import { ask, CallError } from '../api/call.ts';
import { describeHere } from '../dna/describe-here.ts';
import type { NamedFile } from '../parts/dropped-files.ts';
import { Store } from '../parts/store.ts';

/** One file on its way in. */
export interface Item {
  readonly id: string;
  readonly file: File;
  readonly keywords: readonly string[];
  readonly state: 'waiting' | 'sending' | 'added' | 'exists' | 'failed';
  /** 0 to 4, where the type can tell, and what takes points off. */
  readonly grade?: number;
  readonly reasons?: readonly string[];
  readonly error?: CallError;
}

export interface Way {
  readonly type: ApplicationType;
  /** Whether the DNA is made here, and it alone sent. */
  readonly here: boolean;
}

const AT_ONCE = 3;
const IMAGE_EXISTS = -2801;

/** What is being added, whichever view is open. A list whose items are replaced in place, so it is not copied for each. */
export const queue = new Store<{ readonly items: Item[] }>({ items: [] });

let way: Way = { type: 'media-matching', here: false };
let running = 0;
let next = 0;

/** @param withFolders  whether the folders a file is in become keywords of it */
export function enqueue(
  files: readonly NamedFile[],
  given: Way,
  keywords: readonly string[],
  withFolders: boolean,
): void {
  way = given;
  const fresh = files.map(({ name, file }): Item => {
    const folders = withFolders ? name.split('/').slice(0, -1) : [];
    return { id: idOf(name), file, keywords: [...new Set([...keywords, ...folders])], state: 'waiting' };
  });
  queue.set({ items: [...queue.value.items, ...fresh] });
  run();
}

/** Takes the failed ones anew. */
export function retryFailed(): void {
  const { items } = queue.value;
  const failed = items
    .filter(({ state }) => state === 'failed')
    .map(({ id, file, keywords }): Item => ({ id, file, keywords, state: 'waiting' }));
  const rest = items.filter(({ state }) => state !== 'failed');
  next = 0;
  queue.set({ items: [...rest, ...failed] });
  run();
}

/** Forgets the list, and leaves out what has not begun. */
export function clear(): void {
  next = 0;
  queue.set({ items: [] });
}

/** An id as the interface takes it, from a name below a folder. */
export function idOf(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/[\p{Cc};]/gu, '_')
    .trim();
}

function run(): void {
  while (running < AT_ONCE) {
    const { items } = queue.value;
    while (next < items.length && items[next]!.state !== 'waiting') next++;
    const item = items[next];
    if (!item) return;
    running++;
    const sending = change(item, { state: 'sending' });
    void add(sending).then((result) => {
      change(sending, result);
      running--;
      run();
    });
  }
}

async function add({ id, file, keywords }: Item): Promise<Partial<Item>> {
  try {
    const picture = way.here ? { dna: await describeHere(file, way.type, 'reference') } : { image_content: file };
    const values = { image_id: id, keywords, ...picture };
    const { grade, reasons } = await ask({
      family: 'enginemodify',
      operation: 'AddImage',
      values,
    });
    return { state: 'added', ...(grade !== undefined && { grade, reasons: reasons ?? [] }) };
  } catch (cause) {
    const error = cause instanceof CallError ? cause : new CallError(0, (cause as Error).message);
    return error.code === IMAGE_EXISTS ? { state: 'exists' } : { state: 'failed', error };
  }
}

/** Where the list was forgotten meanwhile, nothing is changed. */
function change(item: Item, to: Partial<Item>): Item {
  const changed = { ...item, ...to };
  const { items } = queue.value;
  const at = items.indexOf(item);
  if (at >= 0) items[at] = changed;
  queue.set({ items });
  return changed;
}
