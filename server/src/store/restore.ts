import { existsSync, readdirSync } from 'node:fs';
import { fail } from '../errors.ts';
import { repair } from './repair.ts';
import type { Rewritten } from './rewrite.ts';

/**
 * Makes a data folder from a backup by reading its records, so that only sound records get into it.
 * @param to  empty or missing
 * @throws Failure STORE_INCONSISTENT for a backup whose files do not belong together or have foreign tables, and those
 *   of `repair`
 */
export function restore(backup: string, to: string): Rewritten {
  const [stranger] = existsSync(to) ? readdirSync(to) : [];
  if (stranger !== undefined) {
    throw fail('STORE_UNAVAILABLE', `${to}: expected an empty or missing folder to restore into, found ${stranger}`);
  }
  return repair(backup, to);
}
