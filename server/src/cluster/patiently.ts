import { setTimeout as pause } from 'node:timers/promises';
import { type ErrorName, type Failure, isFailure } from '../errors.ts';

/** What a cluster answers while it is disturbed or busy. */
const passing: readonly ErrorName[] = [
  'CLUSTER_UNREACHABLE',
  'CLUSTER_INCOMPLETE',
  'CLUSTER_OUTCOME_UNKNOWN',
  'CLUSTER_READ_ONLY',
  'OVERLOADED',
];

/** Milliseconds before the second attempt, and before those at the end. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** Attempts after the first one: some three minutes. */
const REPETITIONS = 10;

/** For work of commands, which may be done twice: repeats it while the cluster is disturbed. */
export async function patiently<T>(work: () => Promise<T>, repeated: (cause: Failure) => void = () => {}): Promise<T> {
  let wait = FIRST_PAUSE_MS;
  for (let repetition = 0; ; repetition++) {
    try {
      return await work();
    } catch (cause) {
      if (!isFailure(cause, ...passing) || repetition === REPETITIONS) throw cause;
      repeated(cause);
      await pause(wait);
      wait = Math.min(LONGEST_PAUSE_MS, 2 * wait);
    }
  }
}
