import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openImageStore } from '@sosia/server';
import type { GateResult } from './gate.ts';
import type { Seen } from './faults-writer.ts';

/** What the disk does, as strace is told; `#` is the number of the call, counted for each thread. */
const kinds = {
  'a flush fails once': 'fdatasync,fsync:error=EIO:when=#',
  'flushes fail': 'fdatasync,fsync:error=EIO:when=#+',
  'a write fails once': 'pwrite64:error=EIO:when=#',
  'the disk is full': 'pwrite64:error=ENOSPC:when=#+',
};
const POINTS = 15;

const writer = fileURLToPath(new URL('./faults-writer.js', import.meta.url));

/**
 * Makes the disk fail at many moments of a run. Once an add has failed no later one may succeed, since nobody knows what
 * is on the disk; what is stored can be read all the same; and after a restart everything acknowledged is there.
 */
export async function run(): Promise<GateResult> {
  if (spawnSync('strace', ['--version']).error) {
    return { passed: false, figures: { 'not run, because missing': 'strace' } };
  }
  const faults: string[] = [];
  const met = { points: 0, refusedToOpen: 0, stopped: 0, unharmed: 0 };
  for (const [kind, injection] of Object.entries(kinds)) {
    for (let point = 1; point <= POINTS; point++) {
      // ever wider apart: a run makes some 50 flushes and 800 writes
      const call = kind.includes('flush') ? point * 3 : point ** 2 * 3;
      const where = `${kind}, call ${call}`;
      const scratch = mkdtempSync(join(tmpdir(), 'sosia-faults-'));
      const seen = await write(injection.replace('#', String(call)), join(scratch, 'data'));
      met.points++;
      if (seen.opening) met.refusedToOpen++;
      else if (seen.state === 'read-only') met.stopped++;
      else met.unharmed++;
      faults.push(...judge(seen).map((fault) => `${where}: ${fault}`));
      faults.push(...(await judgeAfterRestart(seen, join(scratch, 'data'))).map((fault) => `${where}: ${fault}`));
      rmSync(scratch, { recursive: true });
    }
  }
  const reached = met.refusedToOpen > 0 && met.stopped > 0;
  return { passed: faults.length === 0 && reached, figures: { ...met, faults } };
}

async function write(injection: string, folder: string): Promise<Seen> {
  const command = ['-f', '-o', '/dev/null', '-e', 'trace=fdatasync,fsync,pwrite64', '-e', `inject=${injection}`];
  const { stdout } = await promisify(execFile)('strace', [...command, process.execPath, writer, folder]);
  return JSON.parse(stdout);
}

function judge({ opening, adds, state, read }: Seen): string[] {
  if (opening) return opening === 'STORE_UNAVAILABLE' ? [] : [`opening failed as ${opening}`];
  const first = adds.findIndex((failure) => failure !== null);
  if (first < 0) return state === 'available' ? [] : [`all was stored and the state is ${state}`];
  const faults: string[] = [];
  if (adds[first] !== 'STORE_WRITE_FAILED') faults.push(`the first add to fail failed as ${adds[first]}`);
  const later = adds.slice(first + 1).find((failure) => failure !== 'STORE_READ_ONLY');
  if (later !== undefined) faults.push(`an add after that: ${later ?? 'stored'}`);
  if (state !== 'read-only') faults.push(`the state is ${state}`);
  if (read !== first) faults.push(`${read} pictures could be read, expected ${first}`);
  return faults;
}

async function judgeAfterRestart({ adds }: Seen, folder: string): Promise<string[]> {
  const faults: string[] = [];
  const store = await openImageStore(folder, (damage) => faults.push(JSON.stringify(damage)));
  const numbers: number[] = [];
  for await (const batch of store.replay(1)) numbers.push(...batch.map(({ number }) => number));
  await store.close();
  const stored = adds.filter((failure) => failure === null).length;
  // the one that failed may be there or not
  if (numbers.length < stored || numbers.length > stored + 1) {
    faults.push(`${numbers.length} pictures after a restart, ${stored} were acknowledged`);
  }
  return faults;
}
