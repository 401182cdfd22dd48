import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** Pauses of the code under test end at once. @returns their milliseconds, as they come */
export function withoutPauses(): number[] {
  const pauses: number[] = [];
  timers.setTimeout = (async (milliseconds: number, _: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    signal?.throwIfAborted();
    pauses.push(milliseconds);
    await timers.setImmediate();
  }) as unknown as typeof timers.setTimeout;
  syncBuiltinESMExports();
  return pauses;
}
