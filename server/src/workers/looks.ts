import { Failure } from '../errors.ts';

/**
 * Looks again and again until the signal. A fault is reported once, until a look ends without one.
 * @param wait  for the next look
 */
export async function looks(
  look: () => Promise<void>,
  wait: () => Promise<unknown>,
  { signal, failed }: { readonly signal: AbortSignal; readonly failed: (cause: unknown) => void },
): Promise<void> {
  for (let fault = ''; !signal.aborted; await wait()) {
    try {
      await look();
      fault = '';
    } catch (cause) {
      const name = cause instanceof Failure ? cause.error : String(cause);
      // oxlint-disable-next-line typescript/no-unnecessary-condition -- the look takes time
      if (name !== fault && !signal.aborted) failed(cause);
      fault = name;
    }
  }
}
