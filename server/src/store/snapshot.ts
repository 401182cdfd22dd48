import { fail } from '../errors.ts';
import type { SnapshotJobs } from './snapshot.thread.ts';
import { Thread } from '../workers/thread.ts';

/**
 * Copies a data folder into an empty or missing one, from any process, while a server goes on with it: all that was
 * acknowledged before the call is there, and nothing after some later moment. What is damaged is copied as it is, as
 * far as SQLite can read it.
 * @throws Failure SNAPSHOT_FAILED
 */
export async function snapshot(from: string, to: string): Promise<void> {
  const thread = new Thread<SnapshotJobs>(new URL('./snapshot.thread.js', import.meta.url));
  try {
    await thread.remote.copy({ from, to });
  } catch (cause) {
    throw fail('SNAPSHOT_FAILED', (cause as Error).message);
  } finally {
    await thread.stop();
  }
}
