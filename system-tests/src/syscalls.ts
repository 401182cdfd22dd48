import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { between, randomFor } from '@sosia/testing/pictures/random';
import { type GateResult, notRun, sizeOf } from './gate.ts';

/** Every call by which the store changes what is on the disk. */
const CALLS = 'pwrite64,fdatasync,fsync,ftruncate,unlink,rename,mkdir';
/** The first calls one by one, for they make the folder; then some of the rest, one in so many on average. */
const ONE_BY_ONE = 40;
const POINTS = sizeOf('SOSIA_SYSCALL_POINTS', { usual: 15, whole: 450 });
/** The most a thread makes in one run of a workload. */
const workloads = { mixed: 900, snapshot: 500, early: 300 } as const;
type Workload = keyof typeof workloads;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Kills a writer exactly at its n-th call that changes the disk, and every third time also the opening that follows, at
 * one of its own. Whatever was acknowledged must be there, and nothing that was never asked for. (Where a random kill
 * falls between two calls, many times over, this one falls on each of the places that matter.)
 */
export async function run(): Promise<GateResult> {
  if (spawnSync('strace', ['--version']).error) return notRun('strace');
  const seed = process.env['SOSIA_SEED'] ?? String(Date.now());
  const faults: string[] = [];
  const met = { points: 0, killed: 0, killedAgainWhileOpening: 0, caughtOnPurpose: 0 };
  for (const workload of Object.keys(workloads) as Workload[]) {
    const random = randomFor('syscalls', seed, workload);
    const honest = workload !== 'early';
    for (const call of pointsOf(workload, random)) {
      const scratch = mkdtempSync(join(tmpdir(), 'sosia-syscalls-'));
      const folder = join(scratch, 'data');
      const said = await traced(call, [here('powercut/writer.js'), workload, folder]);
      met.points++;
      if (said.killed) met.killed++;
      if (met.points % 3 === 0 && existsSync(folder)) {
        const opening = await traced(Math.ceil(between(random, 0, 12)), [here('powercut/checker.js')], folder);
        if (opening.killed) met.killedAgainWhileOpening++;
      }
      const found = existsSync(folder) ? judge(said.out, await seen(folder)) : [];
      if (honest) faults.push(...found.map((fault) => `${workload}, killed at call ${call}: ${fault}`));
      else met.caughtOnPurpose += found.length;
      rmSync(scratch, { recursive: true });
      if (!said.killed) break; // it has fewer calls than that
    }
  }
  if (met.caughtOnPurpose === 0) faults.push('a writer that acknowledges too early was not caught');
  return { passed: faults.length === 0 && met.killedAgainWhileOpening > 0, figures: { seed, ...met, faults } };
}

function pointsOf(workload: Workload, random: () => number): number[] {
  const most = workloads[workload];
  const first = Array.from({ length: workload === 'early' ? 10 : ONE_BY_ONE }, (_, i) => i + 1);
  const later = Array.from({ length: workload === 'early' ? 10 : POINTS }, () =>
    Math.ceil(between(random, first.length, most)),
  );
  return [...first, ...later.sort((a, b) => a - b)];
}

/** Runs a program that is killed at the n-th such call of any of its threads. */
async function traced(call: number, program: readonly string[], input = '') {
  const injection = `inject=${CALLS}:signal=KILL:when=${call}`;
  const options = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${CALLS}`, '-e', injection];
  const child = spawn('strace', [...options, process.execPath, ...program], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => {}); // killed before it read
  child.stdin.end(`${input}\n`);
  const [out, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { out, killed: code !== 0 || signal !== null };
}

interface Seen {
  readonly ids?: readonly string[];
  readonly bad?: boolean;
  readonly error?: string;
}

/** What the real store finds in the folder; asked of a process of its own, for this one must not hold locks. */
async function seen(folder: string): Promise<Seen> {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [here('powercut/checker.js')]);
  child.stderr.resume();
  child.stdin.end(`${folder}\n`);
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as Seen;
  return { error: 'the checker said nothing' };
}

function judge(said: string, { ids = [], bad, error }: Seen): string[] {
  if (error !== undefined) return [`it does not open: ${error}`];
  const told = (word: string) => [...said.matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map(([, what]) => what!);
  const tried = new Set(told('TRY'));
  const lost = told('ACK').filter((what) => !ids.includes(what));
  const ghosts = ids.filter((what) => !tried.has(what));
  return [
    ...lost.map((what) => `${what} was acknowledged and is lost`),
    ...ghosts.map((what) => `${what} is there and was never asked for`),
    ...(bad ? ['something is there and not as it was written'] : []),
  ];
}
