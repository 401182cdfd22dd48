import { fail } from '../errors.ts';
import type { SnapshotJobs } from './snapshot.thread.ts';
import { Thread } from '../workers/thread.ts';

/**
 * Copies a data folder into an empty or missing one, from any process, beside a running server. The copy has every
 * change acknowledged before the call; later ones may be in it. Damaged data is copied unchanged, as far as
 * SQLite can read it.
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
