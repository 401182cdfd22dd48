import type { FileChoice } from '@sosia/contract';
import { ask, askInPassing, requestFor, type CallError } from '../../api/call.ts';
import { AtOnce } from '../../parts/at-once.ts';
import { Store } from '../../parts/store.ts';

/** Milliseconds in which a deletion can be undone. */
const GRACE = 6000;

export interface Deletion {
  readonly id: string;
  /** `sent`: the deletion can no longer be undone. */
  readonly files: FileChoice;
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly error?: CallError;
  /** Why the file stays that was to go with the picture. */
  readonly kept?: string;
}

/** Deletions that wait and those that were sent; a request is sent after the time to undo. */
export const deletions = new Store<readonly Deletion[]>([]);

/** What becomes of the files of pictures whose deletion begins from now on. */
export const fateOfFiles = new Store<FileChoice>('keep');

const timers = new Map<string, ReturnType<typeof setTimeout>>();
const deleting = ({ id, files }: Deletion) => requestFor('enginemodify', 'DeleteImage', { image_id: id, files });
const deletionOf = (id: string): Deletion => deletions.value.find((each) => each.id === id)!;

export function deleteSoon(id: string): void {
  clearTimeout(timers.get(id));
  replace({ id, files: fateOfFiles.value, state: 'waiting' });
  timers.set(
    id,
    setTimeout(() => void carryOut(id), GRACE),
  );
}

export function undo(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  deletions.set(deletions.value.filter((each) => each.id !== id));
}

/** Sends the waiting deletions at once: signing out does not undo them. */
export async function settleDeletions(): Promise<void> {
  const waiting = [...timers];
  for (const [, timer] of waiting) clearTimeout(timer);
  await Promise.all(waiting.map(([id]) => carryOut(id)));
}

/** So few that the deletion of many pictures leaves the service free for others. */
const sending = new AtOnce(4);

async function carryOut(id: string): Promise<void> {
  timers.delete(id);
  const deletion: Deletion = { ...deletionOf(id), state: 'sent' };
  replace(deletion);
  try {
    const { files } = await sending.run(() => ask(deleting(deletion)));
    const [kept] = files?.kept ?? [];
    if (kept) replace({ ...deletion, kept: kept.message });
  } catch (error) {
    replace({ ...deletion, state: 'failed', error: error as CallError });
  }
}

function replace(deletion: Deletion): void {
  deletions.set([...deletions.value.filter(({ id }) => id !== deletion.id), deletion]);
}

/** Leaving the page does not undo a deletion. */
addEventListener('pagehide', () => {
  for (const id of timers.keys()) {
    clearTimeout(timers.get(id));
    askInPassing(deleting(deletionOf(id)));
  }
  timers.clear();
});
