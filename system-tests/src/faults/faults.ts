import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openImageStore } from '@sosia/server';
import { Ledger } from '@sosia/testing/ledger/ledger';
import { systemTest } from '@sosia/testing/harness/system-test';
import type { Seen } from './writer.ts';

/** What the disk does, in the words of strace; `#` is the number of the call in its thread. */
const kinds = {
  'a flush fails once': 'fdatasync,fsync:error=EIO:when=#',
  'flushes fail': 'fdatasync,fsync:error=EIO:when=#+',
  'a write fails once': 'pwrite64:error=EIO:when=#',
  'the disk is full': 'pwrite64:error=ENOSPC:when=#+',
  'the disk is full for a while': 'pwrite64:error=ENOSPC:when=#..@',
};
/** How many calls the last of them lasts: some adds. */
const WHILE = 12;
const POINTS = 15;

const writer = fileURLToPath(new URL('./writer.js', import.meta.url));

/**
 * After a failed write no later one may succeed, since the state of the disk is unknown. A full disk is a known state: the refused
 * add may never show, and a later one is stored if there is room. Stored pictures can be read all the same.
 */
export default systemTest({
  name: 'faults',
  promise: 'A failing disk is never acknowledged, and everything acknowledged is there after a restart.',
  needs: ['strace'],
  async run({ folder, faults, expect }) {
    const met = { points: 0, refusedToOpen: 0, stopped: 0, full: 0, recovered: 0, unharmed: 0 };
    for (const [kind, injection] of Object.entries(kinds)) {
      for (let point = 1; point <= POINTS; point++) {
        // ever wider apart: a run makes some 50 flushes and 800 writes
        const call = kind.includes('flush') ? point * 3 : point ** 2 * 3;
        const data = join(folder, String(met.points++));
        const seen = await write(injection.replace('#', String(call)).replace('@', String(call + WHILE)), data);
        if (seen.opening) met.refusedToOpen++;
        else if (seen.adds.every((failure) => failure === null)) met.unharmed++;
        else if (!isFull(seen)) met.stopped++;
        else if (seen.adds.at(-1) === null) met.recovered++;
        else met.full++;
        const found = [...judge(seen), ...(await judgeAfterRestart(seen, data))];
        faults.push(...found.map((fault) => `${kind}, call ${call}: ${fault}`));
      }
    }
    const allMet = met.refusedToOpen > 0 && met.stopped > 0 && met.full > 0 && met.recovered > 0;
    expect(allMet, 'not every kind of fault was met');
    return met;
  },
});

async function write(injection: string, data: string): Promise<Seen> {
  const options = ['-f', '-o', '/dev/null', '-e', 'trace=fdatasync,fsync,pwrite64', '-e', `inject=${injection}`];
  const { stdout } = await promisify(execFile)('strace', [...options, process.execPath, writer, data]);
  return JSON.parse(stdout) as Seen;
}

function judge({ opening, adds, state, read }: Seen): string[] {
  if (opening) return opening === 'STORE_UNAVAILABLE' ? [] : [`opening failed as ${opening}`];
  const stored = adds.flatMap((failure, i) => (failure === null ? [i + 1] : []));
  const faults: string[] = [];
  if (read.join() !== stored.join()) faults.push(`pictures ${read.join()} could be read, expected ${stored.join()}`);
  const [first, ...others] = adds.filter((failure) => failure !== null);
  if (isFull({ adds })) {
    const wrong = others.filter((failure) => failure !== 'STORE_FULL');
    if (wrong.length > 0) faults.push(`on a full disk adds failed as ${wrong.join()}`);
  } else if (first) {
    if (first !== 'STORE_WRITE_FAILED') faults.push(`the first add to fail failed as ${first}`);
    const later = adds.slice(adds.indexOf(first) + 1).find((failure) => failure !== 'STORE_READ_ONLY');
    if (later !== undefined) faults.push(`an add after that: ${later ?? 'stored'}`);
  }
  const expected = !first ? 'available' : isFull({ adds }) ? state : 'read-only';
  if (state !== expected) faults.push(`the state is ${state}, expected ${expected}`);
  return faults;
}

async function judgeAfterRestart({ adds }: Seen, data: string): Promise<string[]> {
  const ledger = new Ledger();
  for (const [i, failure] of adds.entries()) {
    const id = `picture-${i + 1}`;
    ledger.try(id, 'added');
    if (failure === null) ledger.acknowledge(id);
    else if (failure !== 'STORE_WRITE_FAILED') ledger.refuse(id);
  }
  const faults: string[] = [];
  const found = new Map<string, string>();
  const store = await openImageStore(data, (damage) => faults.push(JSON.stringify(damage)));
  for await (const batch of store.replay(1)) for (const { id } of batch) found.set(id, 'added');
  await store.close();
  return [...faults, ...ledger.compare(found).map(({ text }) => `after a restart ${text}`)];
}

function isFull({ adds }: Pick<Seen, 'adds'>): boolean {
  return adds.find((failure) => failure !== null) === 'STORE_FULL';
}
