import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The user `nobody`, and its group. */
export const NOBODY = 65_534;

/** Seconds of processor time: ends a child that the server, killed in a bad moment, could not end. */
const CPU_LIMIT = 3600;
/** Node needs some 25 while it loads. */
const OPEN_FILES = 64;
/** Characters of its standard error that are kept. */
const MOST_SAID = 1000;

/** Limits first; where a system knows one of them not, the others still hold. `exec` keeps the process one process. */
const start = `
ulimit -c 0 2>/dev/null
ulimit -f 0 2>/dev/null
ulimit -n ${OPEN_FILES} 2>/dev/null
ulimit -d "$1" 2>/dev/null
ulimit -t ${CPU_LIMIT} 2>/dev/null
echo 500 2>/dev/null >/proc/self/oom_score_adj
shift
exec nice -n 5 "$@"`;

/** Nothing of the server's environment: it may hold secrets. */
const environment = {
  MALLOC_ARENA_MAX: '2',
  UV_THREADPOOL_SIZE: '2',
  UV_USE_IO_URING: '0', // what is asked through a ring passes a filter of system calls
  VIPS_BLOCK_UNTRUSTED: '1',
  VIPS_WARNING: '0',
};

export interface Launched {
  /** Without its streams, or not there at all, where the system has no more to give. */
  readonly process?: ChildProcess;
  /** How it ended, in words. */
  readonly ended: Promise<string>;
  /** The last that it wrote to standard error, which is not the server's: a child must not write into the log. */
  said(): string;
}

/**
 * Starts a script that ends in `serveConfined`, within the limits that a process can be given from outside.
 * @param dataLimit  kilobytes of heap, stacks and anonymous memory
 * @param user  what it becomes where the server is root
 */
export function launch(script: URL, dataLimit: number, user: number): Launched {
  const path = fileURLToPath(script);
  const command = [process.execPath, ...permissionFlags(), path, String(user)];
  const [file, ...rest] =
    process.platform === 'win32' ? command : ['sh', '-c', start, 'sh', String(dataLimit), ...command];
  try {
    const child = spawn(file!, rest, {
      cwd: parse(path).root,
      env: environment,
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MOST_SAID)));
    return { process: child, ended: once(child, 'exit').then(inWords, notStarted), said: () => said.trim() };
  } catch (cause) {
    return { ended: Promise.resolve(notStarted(cause as Error)), said: () => '' };
  }
}

/** Node's permission model, by the name it has in this version; reading is left, for that is how the program is loaded. */
function permissionFlags(): string[] {
  const known = (flag: string): boolean => process.allowedNodeEnvironmentFlags.has(flag);
  const model = ['--permission', '--experimental-permission'].find(known);
  if (!model) return [];
  return [model, '--allow-fs-read=*', ...['--allow-addons'].filter(known), '--no-warnings'];
}

function inWords([code, signal]: unknown[]): string {
  return signal ? `it was ended by ${signal}` : `it ended with code ${code}`;
}

function notStarted(cause: Error): string {
  return `it could not be started: ${cause.message}`;
}
