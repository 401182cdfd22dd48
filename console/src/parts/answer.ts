import { useEffect, useState } from 'preact/hooks';
import type { CallError } from '../api/call.ts';

/** An answer that is pending, present or failed; while a new one is pending the last one remains. */
export interface Answering<T> {
  readonly value?: T;
  readonly error?: CallError;
  readonly busy: boolean;
}

/**
 * Repeats the request `settle` milliseconds after a change of `key`, so that a moving slider sends one request. A newer
 * request aborts an older one. An undefined key sends nothing.
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
    const abort = new AbortController();
    set(({ value }) => ({ ...(value !== undefined && { value }), busy: true }));
    const timer = setTimeout(() => {
      work(abort.signal).then(
        (value) => abort.signal.aborted || set({ value, busy: false }),
        (error: unknown) => abort.signal.aborted || set({ error: error as CallError, busy: false }),
      );
    }, settle);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return state;
}
