import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../errors.ts';
import type { Call, Reply } from './connection.ts';
import { COPIES_PAUSE, COPIES_TRIALS, fewCopies, hasCopies } from './copies.ts';

/**
 * Makes changes of documents durably; those that too few copies have are made again.
 * @param changes  each the lines of one
 * @throws Failure CLUSTER_OUTCOME_UNKNOWN where one is refused
 */
export async function bulkChanges(
  send: (call: Call) => Promise<Reply>,
  path: string,
  changes: readonly (readonly object[])[],
): Promise<void> {
  for (let [trial, left] = [0, changes]; left.length > 0; trial++) {
    const body = left.flatMap((lines) => lines.map((line) => `${JSON.stringify(line)}\n`)).join('');
    const reply = await send({ method: 'POST', path, body, changes: true });
    const items = reply.body.items.map((item) => Object.values(item)[0]!);
    const failed = items.find(({ error }) => error);
    if (failed) throw fail('CLUSTER_OUTCOME_UNKNOWN', `${failed.error!.reason} (HTTP ${failed.status})`);
    left = left.filter((_, i) => !hasCopies(items[i]!._shards));
    if (left.length === 0) return;
    if (trial === COPIES_TRIALS) throw fewCopies(items.find(({ _shards }) => !hasCopies(_shards))!._shards);
    await pause(COPIES_PAUSE);
  }
}
