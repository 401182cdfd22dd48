import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ApplicationType } from '@sosia/engine';

const sosia = fileURLToPath(new URL('../../../cli/bin/sosia.js', import.meta.url));

/** A running `sosia serve`. */
export interface Server {
  readonly modify: string;
  readonly query: string;
  /** From the start of the process to the line that says that it takes requests. */
  readonly startMs: number;
  memory(): Memory;
  /** Processor time of the server without its children, so far; NaN where /proc does not tell. */
  processorMs(): number;
  stop(): Promise<void>;
  /** Ends it without notice. */
  kill(): Promise<void>;
}

/** Resident memory in MB, now and at its highest; NaN where /proc does not tell. */
export interface Memory {
  readonly main: number;
  readonly mainPeak: number;
  /** All decoding children together. */
  readonly children: number;
  /** The child that has taken most in its life; what ended meanwhile does not count. */
  readonly childPeak: number;
}

/** @returns the application's key */
export function createApplication(data: string, type: ApplicationType): string {
  const args = [sosia, 'app', 'create', '--type', type, '--name', `bench ${type}`, '--data', data, '--json'];
  const answer = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as { application_key: string };
  return answer.application_key;
}

export function startServer(data: string, ...flags: string[]): Promise<Server> {
  return ready(spawnServer(data, ...flags));
}

/** @param tracer  a command line that runs the one behind it in its own place, such as `strace -D …`, so that signals reach the server */
export function startServerUnder(tracer: readonly string[], data: string, ...flags: string[]): Promise<Server> {
  return ready(spawnUnder(tracer, data, ...flags));
}

async function ready(child: ChildProcess): Promise<Server> {
  const start = performance.now();
  const ports = await firstLine(child);
  const startMs = performance.now() - start;
  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return {
    modify: `http://127.0.0.1:${ports.modify}`,
    query: `http://127.0.0.1:${ports.query}`,
    startMs,
    memory: () => memoryOf(child.pid!),
    processorMs: () => processorMsOf(child.pid!),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Starts a `sosia serve` that is not waited for. */
export function spawnServer(data: string, ...flags: string[]): ChildProcess {
  return spawnUnder([], data, ...flags);
}

function spawnUnder(tracer: readonly string[], data: string, ...flags: string[]): ChildProcess {
  const ports = ['--modify-port', '0', '--query-port', '0', '--log-level', 'warn'];
  const [command, ...args] = [...tracer, process.execPath, sosia, 'serve', '--data', data, ...ports, ...flags];
  return spawn(command!, args, { stdio: ['ignore', 'pipe', tracer.length > 0 ? 'ignore' : 'inherit'] });
}

async function firstLine(child: ChildProcess): Promise<{ modify: number; query: number }> {
  const lines = createInterface({ input: child.stdout! });
  const line = once(lines, 'line').then(([text]) => JSON.parse(text as string) as { modify: number; query: number });
  const end = once(child, 'exit').then(([code]) => {
    throw new Error(`sosia serve ended with ${code} before it was ready`);
  });
  return Promise.race([line, end]);
}

function memoryOf(pid: number): Memory {
  try {
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => statusOf(name) ?? [])
      .filter((status) => field(status, 'PPid') === pid);
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

/** Linux counts it in hundredths of a second. */
function processorMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return NaN;
  }
}

/** null for a process that has ended meanwhile. */
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
