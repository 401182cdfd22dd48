import { ask, askInPassing, type CallError, type Request } from '../../api/call.ts';
import { AtOnce } from '../../parts/at-once.ts';
import { Store } from '../../parts/store.ts';

/** Milliseconds in which a deletion can be undone. */
const GRACE = 6000;

export interface Deletion {
  readonly id: string;
  /** `sent`: the deletion can no longer be undone. */
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly error?: CallError;
}

/** Deletions that wait and those that were sent; a request is sent after the time to undo. */
export const deletions = new Store<readonly Deletion[]>([]);

const timers = new Map<string, ReturnType<typeof setTimeout>>();
const requestFor = (id: string): Request<'enginemodify', 'DeleteImage'> => ({
  family: 'enginemodify',
  operation: 'DeleteImage',
  values: { image_id: id },
});

export function deleteSoon(id: string): void {
  clearTimeout(timers.get(id));
  replace({ id, state: 'waiting' });
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
  replace({ id, state: 'sent' });
  try {
    await sending.run(() => ask(requestFor(id)));
  } catch (error) {
    replace({ id, state: 'failed', error: error as CallError });
  }
}

function replace(deletion: Deletion): void {
  deletions.set([...deletions.value.filter(({ id }) => id !== deletion.id), deletion]);
}

/** Leaving the page does not undo a deletion. */
addEventListener('pagehide', () => {
  for (const id of timers.keys()) {
    clearTimeout(timers.get(id));
    askInPassing(requestFor(id));
  }
  timers.clear();
});
