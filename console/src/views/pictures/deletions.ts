import { ask, askInPassing } from '../../api/call.ts';
import type { CallError, Request } from '../../api/call.ts';
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

/** Requests in progress, so that the deletion of many pictures leaves the service free for others. */
const AT_ONCE = 4;
const line: (() => Promise<void>)[] = [];
let running = 0;

function carryOut(id: string): Promise<void> {
  timers.delete(id);
  replace({ id, state: 'sent' });
  return new Promise((resolve) => {
    line.push(async () => {
      try {
        await ask(requestFor(id));
      } catch (error) {
        replace({ id, state: 'failed', error: error as CallError });
      }
      resolve();
    });
    run();
  });
}

function run(): void {
  const next = running < AT_ONCE ? line.shift() : undefined;
  if (!next) return;
  running++;
  void next().then(() => {
    running--;
    run();
  });
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
