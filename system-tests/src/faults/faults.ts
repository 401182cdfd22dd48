import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openImageStore } from '@sosia/server';
import { notRun, type GateResult } from '../gate.ts';
import type { Seen } from './writer.ts';

/** What the disk does, as strace is told; `#` is the number of the call, counted for each thread. */
const kinds = {
  'a flush fails once': 'fdatasync,fsync:error=EIO:when=#',
  'flushes fail': 'fdatasync,fsync:error=EIO:when=#+',
  'a write fails once': 'pwrite64:error=EIO:when=#',
  'the disk is full': 'pwrite64:error=ENOSPC:when=#+',
  'the disk is full for a while': 'pwrite64:error=ENOSPC:when=#..@',
};
/** Calls for which it is full in the last of them: some adds long. */
const WHILE = 12;
const POINTS = 15;

const writer = fileURLToPath(new URL('./writer.js', import.meta.url));

/**
 * Makes the disk fail at many moments of a run. Once an add has failed no later one may succeed, since nobody knows what
 * is on the disk; but where the disk was full that is known, so nothing of the add may ever show and a later one is stored
 * if there is room. What is stored can be read all the same, and after a restart everything acknowledged is there.
 */
export async function run(): Promise<GateResult> {
  if (spawnSync('strace', ['--version']).error) return notRun('strace');
  const faults: string[] = [];
  const met = { points: 0, refusedToOpen: 0, stopped: 0, full: 0, recovered: 0, unharmed: 0 };
  for (const [kind, injection] of Object.entries(kinds)) {
    for (let point = 1; point <= POINTS; point++) {
      // ever wider apart: a run makes some 50 flushes and 800 writes
      const call = kind.includes('flush') ? point * 3 : point ** 2 * 3;
      const where = `${kind}, call ${call}`;
      const scratch = mkdtempSync(join(tmpdir(), 'sosia-faults-'));
      const calls = injection.replace('#', String(call)).replace('@', String(call + WHILE));
      const seen = await write(calls, join(scratch, 'data'));
      met.points++;
      if (seen.opening) met.refusedToOpen++;
      else if (seen.adds.every((failure) => failure === null)) met.unharmed++;
      else if (!isFull(seen)) met.stopped++;
      else if (seen.adds.at(-1) === null) met.recovered++;
      else met.full++;
      faults.push(...judge(seen).map((fault) => `${where}: ${fault}`));
      faults.push(...(await judgeAfterRestart(seen, join(scratch, 'data'))).map((fault) => `${where}: ${fault}`));
      rmSync(scratch, { recursive: true });
    }
  }
  const reached = met.refusedToOpen > 0 && met.stopped > 0 && met.full > 0 && met.recovered > 0;
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
  if (isFull({ adds })) {
    const others = adds.filter((failure) => failure !== null && failure !== 'STORE_FULL');
    if (others.length > 0) faults.push(`on a full disk adds failed as ${others.join()}`);
    const stored = adds.filter((failure) => failure === null).length;
    if (read !== stored) faults.push(`${read} pictures could be read, expected ${stored}`);
    return faults;
  }
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
  // the one that failed may be there or not, except where the disk was full
  const most = isFull({ adds }) ? stored : stored + 1;
  if (numbers.length < stored || numbers.length > most) {
    faults.push(`${numbers.length} pictures after a restart, ${stored} were acknowledged`);
  }
  return faults;
}

function isFull({ adds }: Pick<Seen, 'adds'>): boolean {
  return adds.find((failure) => failure !== null) === 'STORE_FULL';
}
