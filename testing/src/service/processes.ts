import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory in MB, now and at its highest; NaN on systems without /proc. */
export interface Memory {
  readonly main: number;
  readonly mainPeak: number;
  /** All child processes together. */
  readonly children: number;
  /** The largest peak among the children that are still running. */
  readonly childPeak: number;
}

const running = new Set<ChildProcess>();

/** Starts a process that is killed when this one ends, whatever the reason. */
export function spawnGuarded(command: readonly string[]): ChildProcess {
  guard();
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

let guarded = false;
function guard(): void {
  if (guarded) return;
  guarded = true;
  process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

export function memoryOf(pid: number): Memory {
  try {
    const children = childrenOf(pid).flatMap((name) => statusOf(name) ?? []);
    const main = statusOf(String(pid))!;
    return {
      main: field(main, 'VmRSS') / 1024,
      mainPeak: field(main, 'VmHWM') / 1024,
      children: children.reduce((sum, status) => sum + field(status, 'VmRSS') / 1024, 0),
      childPeak: Math.max(0, ...children.map((status) => field(status, 'VmHWM') / 1024)),
    };
  } catch {
    return { main: NaN, mainPeak: NaN, children: NaN, childPeak: NaN };
  }
}

/** The most resident memory that a process has had, in MB. */
export function peakOf(pid: number): number {
  return field(statusOf(String(pid)) ?? '', 'VmHWM') / 1024;
}

/** Processor time of a process without its children, in milliseconds; Linux counts in hundredths of a second. */
export function processorMsOf(pid: number): number {
  return ticksOf(pid, 'own');
}

/**
 * Processor time of all threads of a process and of its children, in milliseconds. Children that have ended count in
 * hundredths of a second, everything else exact to less than one millisecond. Threads that have ended do not count.
 */
export function exactProcessorMsOf(pid: number): number {
  const threads = [String(pid), ...childrenOf(pid)].flatMap((name) =>
    whileItRuns(() => readdirSync(`/proc/${name}/task`).map((thread) => `/proc/${name}/task/${thread}/schedstat`), []),
  );
  const times = threads.map((path) => whileItRuns(() => Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6, 0));
  return times.reduce((sum, time) => sum + time, ticksOf(pid, 'ended children'));
}

/** User and system time from /proc, in milliseconds; NaN where the process has ended. */
function ticksOf(pid: number, of: 'own' | 'ended children'): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const first = of === 'own' ? 11 : 13;
    return 10 * (Number(fields[first]) + Number(fields[first + 1]));
  } catch {
    return NaN;
  }
}

/** Processor time of the main thread of a process, which runs its event loop, in milliseconds; NaN on systems without /proc. */
export function mainThreadMsOf(pid: number): number {
  return whileItRuns(() => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6, NaN);
}

/** @param ended  for a process or thread that ends before it is read */
function whileItRuns<T>(read: () => T, ended: T): T {
  try {
    return read();
  } catch {
    return ended;
  }
}

function childrenOf(pid: number): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && field(statusOf(name) ?? '', 'PPid') === pid);
}

/** null for a process that has ended. */
function statusOf(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return null;
  }
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]);
}
