import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limited } from './limits.ts';

/** The user `nobody`, and its group. */
export const NOBODY = 65_534;

/** Runs in a child before its script. */
const withoutRing = new URL('./without-ring.js', import.meta.url).href;

/** Characters of its standard error that are kept. */
const MOST_STDERR = 1000;

/** Nothing of the server's environment: it may hold secrets. */
const environment = {
  MALLOC_ARENA_MAX: '2',
  UV_THREADPOOL_SIZE: '2',
  UV_USE_IO_URING: '0', // calls through a ring pass a filter of system calls; newer versions make one nevertheless
  VIPS_BLOCK_UNTRUSTED: '1',
  VIPS_WARNING: '0',
};

export interface Launched {
  /** Undefined, or without its streams, where the system is out of processes or memory. */
  readonly process?: ChildProcess;
  /** How it ended, in words. */
  readonly ended: Promise<string>;
  /** The end of its standard error, which is not the server's: a child must not write into the log. */
  readonly stderr: () => string;
}

/**
 * Starts a script that ends in `serveConfined`, within the limits that a process can be given from outside.
 * @param memory  bytes of heap, stacks and anonymous memory
 * @param user  the user and group that it becomes where the server is root
 */
export function launch(script: URL, memory: number, user: number): Launched {
  const path = fileURLToPath(script);
  const [file, ...args] = limited(
    [process.execPath, ...permissionFlags(), '--import', withoutRing, path, String(user)],
    memory,
  );
  try {
    const child = spawn(file!, args, {
      cwd: parse(path).root,
      env: environment,
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32', // Ctrl+C on a terminal is for the server, which ends its children
      windowsHide: true,
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-MOST_STDERR)));
    return { process: child, ended: once(child, 'exit').then(inWords, notStarted), stderr: () => stderr.trim() };
  } catch (cause) {
    return { ended: Promise.resolve(notStarted(cause as Error)), stderr: () => '' };
  }
}

/** Node's permission model, by its name in this version; reading stays allowed, since the program is loaded by reading. */
function permissionFlags(): string[] {
  const known = (flag: string): boolean => process.allowedNodeEnvironmentFlags.has(flag);
  const model = ['--permission', '--experimental-permission'].find(known);
  if (!model) return [];
  return [model, '--allow-fs-read=*', ...['--allow-addons'].filter(known), '--no-warnings'];
}

function inWords([code, signal]: unknown[]): string {
  return signal ? `it was ended by ${signal as NodeJS.Signals}` : `it ended with code ${code as number}`;
}

function notStarted(cause: Error): string {
  return `it could not be started: ${cause.message}`;
}
