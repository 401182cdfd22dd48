import { useEffect } from 'preact/hooks';
import { ask, requestFor } from '../../api/call.ts';
import { useRequest } from '../../parts/answer.ts';
import { Store, useStore } from '../../parts/store.ts';

/** Milliseconds between two looks for new events. */
const POLL = 5000;

/** The unread events of the application, as the service counted them last. */
export const unread = new Store(0);

/** @param watches  whether the application has events */
export function useUnread(watches: boolean): number {
  const { value } = useRequest(watches ? requestFor('review', 'ReviewEvents', { nb_results: 0 }) : undefined, {
    every: watches ? POLL : 0,
  });
  useEffect(() => value && unread.set(value.nb_unread), [value]);
  return useStore(unread);
}

/** @param older  whether all events before it are read, too */
export async function markRead(event: number, older = false): Promise<void> {
  const values = { event_id: event, older: older ? 1 : undefined };
  unread.set((await ask(requestFor('review', 'MarkEventsRead', values))).nb_unread);
}
