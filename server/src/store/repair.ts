import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileNames } from './folder.ts';
import { lockFolder } from './lock.ts';
import { rewriteFolder } from './rewrite.ts';
import type { Rewritten } from './rewrite.ts';

/**
 * Makes a sound data folder out of a damaged one that no server holds.
 * @param to  empty or missing
 * @throws Failure STORE_LOCKED, and those of `rewriteFolder`
 */
export function repair(folder: string, to: string): Rewritten {
  // without a lock file no server has ever held the folder, and it need not be made
  const unlock = existsSync(join(folder, fileNames.lock)) ? lockFolder(folder) : undefined;
  try {
    return rewriteFolder(folder, to);
  } finally {
    unlock?.();
  }
}
