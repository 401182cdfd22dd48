import { useEffect, useState } from 'preact/hooks';
import type { CallError } from '../api/call.ts';

/** An answer on its way, there, or failed; while a new one is on its way the last one stays. */
export interface Answering<T> {
  readonly value?: T;
  readonly error?: CallError;
  readonly busy: boolean;
}

/**
 * Asks anew whenever `key` changes, `settle` milliseconds later, so that a slider that is still moving asks once. What is
 * overtaken is given up. An undefined key asks nothing.
 */
export function useAnswer<T>(
  key: unknown,
  work: (signal: AbortSignal) => Promise<T>,
  { settle = 0 } = {},
): Answering<T> {
  const [state, set] = useState<Answering<T>>({ busy: false });
  useEffect(() => {
    if (key === undefined) {
      set({ busy: false });
      return;
    }
    const given = new AbortController();
    set(({ value }) => ({ ...(value !== undefined && { value }), busy: true }));
    const timer = setTimeout(() => {
      work(given.signal).then(
        (value) => given.signal.aborted || set({ value, busy: false }),
        (error: CallError) => given.signal.aborted || set({ error, busy: false }),
      );
    }, settle);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [key]);
  return state;
}
