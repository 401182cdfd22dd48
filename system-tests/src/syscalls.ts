import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startChecker } from '@sosia/testing/checker';
import { noteLine } from '@sosia/testing/ledger/announced';
import { Ledger } from '@sosia/testing/ledger/ledger';
import { between, randomFor } from '@sosia/testing/pictures/random';
import { systemTest } from '@sosia/testing/harness/system-test';

/** Every call by which the store changes the disk. */
const CALLS = 'pwrite64,fdatasync,fsync,ftruncate,unlink,rename,mkdir';
/** The first calls are tried one by one, for they make the folder; of the rest, some at random. */
const ONE_BY_ONE = 40;
/** The most calls that a thread makes in one run of a workload of ../powercut/writer.ts. */
const workloads = { mixed: 900, snapshot: 500, early: 300 };

const writer = fileURLToPath(new URL('powercut/writer.js', import.meta.url));
const checker = fileURLToPath(new URL('powercut/checker.js', import.meta.url));

/**
 * Kills a writer exactly at its n-th call that changes the disk. Every third time, the opening that follows is killed at one of its
 * own calls too. Random kills mostly fall between two calls; these fall on each place that matters.
 */
export default systemTest({
  name: 'syscalls',
  promise: 'A kill exactly at a write, flush, truncation or unlink loses no acknowledged change and shows no other.',
  needs: ['strace'],
  sizes: { SOSIA_SYSCALL_POINTS: { usual: 15, whole: 450 } },
  async run({ seed, size, folder, faults, expect }) {
    const met = { points: 0, killed: 0, killedAgainWhileOpening: 0, caughtOnPurpose: 0 };
    for (const [workload, most] of Object.entries(workloads)) {
      const random = randomFor('syscalls', seed, workload);
      const honest = workload !== 'early';
      const first = Array.from({ length: honest ? ONE_BY_ONE : 10 }, (_, i) => i + 1);
      const later = Array.from({ length: honest ? size.SOSIA_SYSCALL_POINTS : 10 }, () =>
        Math.ceil(between(random, first.length, most)),
      );
      for (const call of [...first, ...later.sort((a, b) => a - b)]) {
        const data = join(folder, String(met.points++));
        const { said, killed } = await killedAt(call, [writer, workload, data]);
        if (killed) met.killed++;
        if (met.points % 3 === 0 && existsSync(data)) {
          const opening = await killedAt(Math.ceil(between(random, 0, 12)), [checker], `${JSON.stringify(data)}\n`);
          if (opening.killed) met.killedAgainWhileOpening++;
        }
        const found = await faultsIn(said, data);
        if (honest) faults.push(...found.map((fault) => `${workload}, killed at call ${call}: ${fault}`));
        else met.caughtOnPurpose += found.length;
        rmSync(data, { recursive: true, force: true });
        if (!killed) break; // the workload has fewer calls
      }
    }
    expect(met.caughtOnPurpose > 0, 'a writer that acknowledges too early was not noticed');
    expect(met.killedAgainWhileOpening > 0, 'no opening was killed');
    return met;
  },
});

/** Runs a program that is killed at the n-th such call of any of its threads. */
async function killedAt(call: number, program: readonly string[], input = '') {
  const injection = `inject=${CALLS}:signal=KILL:when=${call}`;
  const options = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${CALLS}`, '-e', injection];
  const child = spawn('strace', [...options, process.execPath, ...program], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => {}); // killed before it read
  child.stdin.end(input);
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { said, killed: child.exitCode !== 0 };
}

/** Compares what the writer announced with what the real store finds. */
async function faultsIn(said: string, data: string): Promise<string[]> {
  if (!existsSync(data)) return [];
  const ledger = new Ledger();
  for (const line of said.split('\n').slice(0, -1)) noteLine(ledger, line);
  const reader = startChecker(checker);
  try {
    const contents = (await reader.ask(data)) as Record<string, string>;
    return ledger.compare(new Map(Object.entries(contents))).map(({ text }) => text);
  } catch (cause) {
    return [`it does not open: ${(cause as Error).message}`];
  } finally {
    await reader.end();
  }
}
