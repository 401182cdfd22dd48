import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileNames } from './folder.ts';
import { lockFolder } from './lock.ts';
import { rewriteFolder, type Rewritten } from './rewrite.ts';

/**
 * Makes a sound data folder out of a damaged one that no server uses.
 * @param to  empty or missing
 * @throws Failure STORE_LOCKED, and those of `rewriteFolder`
 */
export function repair(folder: string, to: string): Rewritten {
  // without a lock file no server has ever locked the folder, and the file need not be created
  const unlock = existsSync(join(folder, fileNames.lock)) ? lockFolder(folder) : undefined;
  try {
    return rewriteFolder(folder, to);
  } finally {
    unlock?.();
  }
}
