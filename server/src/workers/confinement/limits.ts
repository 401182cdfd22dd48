import { readFileSync } from 'node:fs';

/** Seconds of processor time: ends a child that the server, killed in a bad moment, could not end. */
const CPU_LIMIT = 3600;
/** More than the modules of a child: on a busy machine Node opens all that one module imports before it reads the first. */
const OPEN_FILES = 512;

/** Bytes that V8 reserves for code from version 13 (Node 24) on. Nearly all of it stays unused, but it counts as data. */
const CODE_RESERVATION = parseInt(process.versions.v8, 10) >= 13 ? 512 * 2 ** 20 : 0;

/** Where a system does not support one of the limits, the others still hold. `exec` keeps the process one process. */
const script = `
ulimit -c 0 2>/dev/null
ulimit -f 0 2>/dev/null
ulimit -n ${OPEN_FILES} 2>/dev/null
ulimit -d "$1" 2>/dev/null
ulimit -t ${CPU_LIMIT} 2>/dev/null
echo 500 2>/dev/null >/proc/self/oom_score_adj
shift
exec nice -n 5 "$@"`;

/**
 * A command that runs another one with limits of memory, processor time, files and their size.
 * @param memory  bytes of heap, stacks and anonymous memory
 */
export function limited(command: readonly string[], memory: number): readonly string[] {
  if (process.platform === 'win32') return command;
  return ['sh', '-c', script, 'sh', String(Math.floor((memory + CODE_RESERVATION) / 1024)), ...command];
}

/** Whether this process has the limits. */
export function areLimitsSet(): boolean {
  if (process.platform !== 'linux') return false;
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const bounded = [/^Max file size +0 /m, /^Max open files +\d{1,3} /m, /^Max core file size +0 /m];
  return bounded.every((line) => line.test(limits)) && !/^Max data size +unlimited/m.test(limits);
}
