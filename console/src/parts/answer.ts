import { useEffect, useState } from 'preact/hooks';
import type { Answers, Family } from '@sosia/contract';
import { ask, type CallError, type Request } from '../api/call.ts';

/** An answer that is pending, present or failed; while a new one is pending the last one remains. */
export interface Answering<T> {
  readonly value?: T;
  readonly error?: CallError;
  readonly busy: boolean;
}

interface Timing {
  /** Milliseconds from a change of the key to the request, so that a moving slider sends one request. */
  readonly settle?: number;
  /** Milliseconds from an answer to the next request while the page is visible; 0 for no repetition. */
  readonly every?: number;
}

/**
 * Repeats the request after a change of `key`, or when `again` is called. A newer request aborts an older one. An
 * undefined key sends nothing.
 */
export function useAnswer<T>(
  key: unknown,
  work: (signal: AbortSignal) => Promise<T>,
  { settle = 0, every = 0 }: Timing = {},
): Answering<T> & { readonly again: () => void } {
  const [state, set] = useState<Answering<T>>({ busy: false });
  const [version, setVersion] = useState(0);
  const again = (): void => setVersion((before) => before + 1);
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
  }, [key, version]);
  useEffect(() => {
    if (every === 0 || state.busy) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), every);
    return () => clearInterval(timer);
  }, [every, state]);
  return { ...state, again };
}

/** Of an operation whose values have no files; an undefined request is not sent. */
export function useRequest<F extends Family, Name extends keyof Answers[F] & string>(
  request: Request<F, Name> | undefined,
  timing?: Timing,
) {
  return useAnswer(request && JSON.stringify(request), (signal) => ask(request!, signal), timing);
}

/** Work that a person starts; its failure is kept until the next one. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  /** @returns undefined if it failed */
  async function run<T>(work: () => Promise<T>): Promise<T | undefined> {
    setBusy(true);
    setError(undefined);
    try {
      return await work();
    } catch (cause) {
      setError(cause as CallError);
      return undefined;
    } finally {
      setBusy(false);
    }
  }
  return { busy, error, run };
}

/** An answer, and work that changes it: it is read again afterwards. */
export function useChanging<F extends Family, Name extends keyof Answers[F] & string>(
  request: Request<F, Name>,
  timing?: Timing,
) {
  const { value, error, again } = useRequest(request, timing);
  const { busy, error: failed, run } = useAction();
  const act = (work: () => Promise<unknown>): Promise<void> => run(work).then(again);
  return { value, error: failed ?? error, busy, act, again };
}
