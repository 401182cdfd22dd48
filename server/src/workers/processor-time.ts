import { readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second, whatever its own clock does. */
const TICK = 10;

/** Milliseconds all threads of a process have run; undefined where the system does not count them, or the process has ended. */
export function processorTime(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // a name in brackets may hold anything
    return (Number(fields[11]) + Number(fields[12])) * TICK;
  } catch {
    return undefined;
  }
}
