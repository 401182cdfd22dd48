import { unless } from '../errors.ts';
import { looks } from '../workers/looks.ts';
import type { SharedRecords } from './store.ts';

/** Work that one process does at a time, as long as there is any. */
export interface OneProcessWork {
  /** Of the process that does it. */
  readonly lease: string;
  /** Takes what other processes have changed. */
  readonly refresh: () => Promise<void>;
  readonly isAny: () => boolean;
  /** Begins what is to be done. @param checkLease  fails where another process does the work now */
  readonly begin: (checkLease: () => void) => void;
  /** Ends what was begun, since the process loses the work. */
  readonly end: () => Promise<void>;
  /** For the next look. */
  readonly wait: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly failed: (cause: unknown) => void;
}

/** Until the signal. Where other processes may do the work, this one does so only while it has the lease. */
export async function inOneProcess(records: SharedRecords, work: OneProcessWork): Promise<void> {
  const { lease, refresh, isAny, begin, end, wait, signal, failed } = work;
  const whileAny = async (checkLease: () => void): Promise<void> => {
    try {
      while (isAny() && !signal.aborted) {
        checkLease();
        begin(checkLease);
        await wait();
        await refresh();
      }
    } finally {
      await end();
    }
  };
  const look = async (): Promise<void> => {
    if (records.shared) await refresh();
    if (isAny()) await unless('OVERLOADED', records.exclusively(lease, whileAny, 0)); // another process does it
  };
  await looks(look, wait, { signal, failed });
}
