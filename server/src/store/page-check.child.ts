import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openUnchecked } from './database.ts';
import { fileNames } from './folder.ts';
import { structureOf } from './structure.ts';

if (isMainThread) {
  // the check cannot be interrupted, so a thread does it, and this one notices the end of the service; an exit would wait for the check
  const thread = new Worker(new URL(import.meta.url), { workerData: process.argv[2]! });
  thread.on('message', (text: string) => process.stdout.write(text, () => process.exit()));
  process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume();
} else {
  const structure = structureOf(openUnchecked(join(workerData as string, fileNames.images)));
  parentPort!.postMessage(JSON.stringify(structure));
}
