/** The number of retries of a request to a busy service, and the first wait. */
export interface Patience {
  readonly retries: number;
  /** Milliseconds; each further wait is twice as long, at most 8 s. */
  readonly firstWait: number;
}

export const standardPatience: Patience = { retries: 6, firstWait: 250 };

/**
 * The waits before each further attempt, in milliseconds. Each is drawn from the upper half of its range, so that
 * clients refused together do not return together.
 */
export function* waits({ retries, firstWait }: Patience): Generator<number, undefined> {
  for (let retry = 0; retry < retries; retry++) {
    const span = Math.min(firstWait * 2 ** retry, 8000);
    yield span * (0.5 + Math.random() / 2);
  }
}

/** Resolves after some milliseconds, or rejects with the reason of the signal. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
