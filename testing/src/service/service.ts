import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Sosia, SosiaError } from '@sosia/client';
import type { ApplicationType } from '@sosia/engine';
import {
  endProcess,
  exactProcessorMsOf,
  mainThreadMsOf,
  memoryOf,
  processorMsOf,
  spawnGuarded,
  type Memory,
} from './processes.ts';

/** The command line program. */
export const sosia = fileURLToPath(new URL('../../../cli/bin/sosia.js', import.meta.url));

export interface ServiceOptions {
  /** The data folder; unless given a new one, which `close` removes. */
  readonly data?: string;
  /** More words of `sosia serve`. */
  readonly flags?: readonly string[];
  /** A command that replaces itself by the command behind it, such as `strace -D …`, so that signals reach the service. */
  readonly tracer?: readonly string[];
}

/** A running `sosia serve`. */
export interface Service {
  readonly data: string;
  /** Addresses of the two ports. */
  readonly modify: string;
  readonly query: string;
  /** From the start of the process to its ready line. */
  readonly startMs: number;
  /** @returns the key of a new application */
  createApplication(type: ApplicationType): string;
  /** The SDK with this key. A request to a busy service is not repeated: the caller sees OVERLOADED. */
  client(key: string): Sosia;
  /** The environment in which `sosia` commands find this service. */
  environment(key: string): NodeJS.ProcessEnv;
  /** A value of /metrics, by its name with its labels. */
  metric(name: string): Promise<number>;
  memory(): Memory;
  /** Processor time of the main process so far. */
  processorMs(): number;
  /** That of all processes and threads that run now, exact to less than a millisecond. */
  exactProcessorMs(): number;
  /** That of the thread with the event loop, exact to less than a millisecond. */
  mainThreadMs(): number;
  /** The end of what it has written to stderr. */
  log(): string;
  /** Whether it ended without `stop`, `kill` or `close`. */
  crashed(): boolean;
  /** Ends it as an administrator does. */
  stop(): Promise<void>;
  /** Ends it without notice. */
  kill(): Promise<void>;
  /** Such as SIGSTOP, after which it goes on existing. */
  signal(signal: NodeJS.Signals): void;
  /** Stops it and removes the data folder that was made for it. */
  close(): Promise<void>;
}

/** @returns the key of a new application */
export function createApplication(data: string, type: ApplicationType): string {
  return createApplicationIn(['--data', data], type);
}

/** @param backend  the options that name it, such as a cluster */
export function createApplicationIn(backend: readonly string[], type: ApplicationType): string {
  const words = ['app', 'create', '--type', type, '--name', type, ...backend, '--json'];
  const out = execFileSync(process.execPath, [sosia, ...words], { encoding: 'utf8' });
  return (JSON.parse(out) as { application_key: string }).application_key;
}

/** Starts a service that is not waited for. */
export function spawnService({ data, flags = [], tracer = [] }: ServiceOptions & { data: string }): ChildProcess {
  const standard = ['--modify-port', '0', '--query-port', '0', '--log-level', 'warn', '--stop-grace', '0'];
  return spawnGuarded([...tracer, process.execPath, sosia, 'serve', '--data', data, ...standard, ...flags]);
}

/**
 * Starts a service and waits until it answers.
 * @throws Error with the log of a service that ends before
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'sosia-service-'));
  const begin = performance.now();
  const child = spawnService({ ...options, data });
  let log = '';
  child.stderr!.on('data', (text: Buffer) => (log = (log + text.toString()).slice(-20_000)));
  const ended = once(child, 'exit');
  const closed = once(child, 'close');
  const line = once(createInterface({ input: child.stdout! }), 'line') as Promise<[string]>;
  const ready = await Promise.race([line, ended.then(() => null)]);
  if (!ready) {
    await closed; // its last words may come after its end
    throw new Error(`sosia serve ended before it was ready: ${log}`);
  }
  const startMs = performance.now() - begin;

  let expected = false;
  let crashed = false;
  void ended.then(() => (crashed = !expected));
  const end = (signal: NodeJS.Signals): Promise<void> => {
    expected = true;
    return endProcess(child, signal);
  };
  const ports = JSON.parse(ready[0]) as { modify: number; query: number };
  const modify = `http://127.0.0.1:${ports.modify}`;
  const query = `http://127.0.0.1:${ports.query}`;
  return {
    data,
    modify,
    query,
    startMs,
    createApplication: (type) => createApplication(data, type),
    client: (key) => new Sosia({ key, modify, query, patience: { retries: 0, firstWait: 0 } }),
    environment: (key) => ({ ...process.env, SOSIA_KEY: key, SOSIA_MODIFY_URL: modify, SOSIA_QUERY_URL: query }),
    metric: (name) => metricOf(modify, name),
    memory: () => memoryOf(child.pid!),
    processorMs: () => processorMsOf(child.pid!),
    exactProcessorMs: () => exactProcessorMsOf(child.pid!),
    mainThreadMs: () => mainThreadMsOf(child.pid!),
    log: () => log,
    crashed: () => crashed,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    signal: (signal) => void child.kill(signal),
    async close() {
      await end('SIGTERM');
      if (!options.data) rmSync(data, { recursive: true });
    },
  };
}

/** The code of an answer: 0 for success. Rejects when no answer comes. */
export async function codeOf(request: Promise<unknown>): Promise<number> {
  try {
    await request;
    return 0;
  } catch (cause) {
    if (cause instanceof SosiaError) return cause.code;
    throw cause;
  }
}

/** Waits, since the metrics of an earlier request serve for a second. */
async function metricOf(modify: string, name: string): Promise<number> {
  await pause(1000);
  const text = await (await fetch(`${modify}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  if (!line) throw new Error(`expected ${name} among the metrics`);
  return Number(line.slice(name.length + 1));
}
