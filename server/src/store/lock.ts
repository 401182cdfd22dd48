import { join } from 'node:path';
import Database from 'libsql';
import { fail } from '../errors.ts';
import { fileNames, makePrivate } from './folder.ts';

/**
 * Prevents a second server on the folder, in this process or another. The lock belongs to the operating system and ends
 * with the process in any case. Reading the lock file with `fs` in this process would release the lock (POSIX).
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, fileNames.lock);
  makePrivate(path);
  const holder = new Database(path);
  try {
    holder.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    if ((cause as { code?: string }).code !== 'SQLITE_BUSY') throw cause;
    throw fail('STORE_LOCKED', folder);
  }
  return () => holder.close(); // at once, since it never prepared a statement
}
