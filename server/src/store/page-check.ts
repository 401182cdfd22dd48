import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Structure } from './structure.ts';

const script = fileURLToPath(new URL('./page-check.child.js', import.meta.url));

/**
 * Checks all pages of images.db beside a service that uses it: in a process of its own, since the check cannot be interrupted, and at
 * the lowest priority. The process ends with this one, however that ends.
 * @param stop  ends it early
 * @returns undefined where it was ended
 */
export async function checkPages(folder: string, stop: AbortSignal): Promise<Structure | undefined> {
  const child = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const kill = (): void => void child.kill('SIGKILL');
  stop.addEventListener('abort', kill);
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // it has ended
  }
  let text = '';
  child.stdout.on('data', (part: Buffer) => (text += part.toString()));
  await once(child, 'close');
  stop.removeEventListener('abort', kill);
  return stop.aborted || text === '' ? undefined : (JSON.parse(text) as Structure);
}
