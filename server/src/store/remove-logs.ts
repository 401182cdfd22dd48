import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Database from 'libsql';
import { fileNames } from './folder.ts';

/**
 * Puts the logs of a data folder into its databases and removes them, so that a stopped service leaves nothing that only
 * fits the files beside it. A database that another process uses keeps its log.
 *
 * SQLite does both when the last connection closes. libsql keeps a closed connection as long as one of its statements is
 * in memory, so these are collected first.
 * @param emptyOnly  leaves logs that contain anything, after a command that only reads
 */
export async function removeLogs(folder: string, emptyOnly = false): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await setImmediate(); // the connections are closed after the collection
  for (const name of [fileNames.applications, fileNames.images]) {
    const path = join(folder, name);
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
    if (!log && !existsSync(`${path}-shm`)) continue;
    if (emptyOnly && log && log.size > 0) continue;
    const last = new Database(path);
    last.exec('PRAGMA fullfsync = ON; SELECT 1 FROM sqlite_schema');
    last.close(); // at once, since it never prepared a statement
  }
}
