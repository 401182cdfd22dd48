import { useState } from 'preact/hooks';
import type { CallError } from '../api/call.ts';

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
