import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Database from 'libsql';
import { fileNames } from './folder.ts';

const ATTEMPTS = 4;

/**
 * Puts the logs of a data folder into its databases and removes them, so that a stopped service leaves nothing that only
 * fits the files beside it. A database that another process uses keeps its log.
 *
 * SQLite does both when the last connection closes. libsql keeps a closed connection as long as one of its statements is
 * in memory, so these are collected first. On a busy machine one collection may not be enough, and a connection to
 * images.db that closes later can only read, so it would leave the log.
 * @param emptyOnly  leaves logs that contain anything, after a command that only reads
 */
export async function removeLogs(folder: string, emptyOnly = false): Promise<void> {
  const images = join(folder, fileNames.images);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    await collect();
    for (const path of [join(folder, fileNames.applications), images]) removeLog(path, emptyOnly);
    if (!existsSync(`${images}-shm`) || (emptyOnly && holdsChanges(images))) return;
  }
}

async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await setImmediate(); // the connections are closed after the collection
}

function removeLog(path: string, emptyOnly: boolean): void {
  if (!existsSync(`${path}-wal`) && !existsSync(`${path}-shm`)) return;
  if (emptyOnly && holdsChanges(path)) return;
  const last = new Database(path);
  last.exec('PRAGMA fullfsync = ON; SELECT 1 FROM sqlite_schema');
  last.close(); // at once, since it never prepared a statement
}

function holdsChanges(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
