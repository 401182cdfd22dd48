import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';

export interface Load {
  /** Mean number of runnable processes in the minute before the run began, and before it ended. */
  readonly before: number;
  readonly after: number;
  /** Share of the processors that other processes took during the run, 0 to 1; missing without /proc and in older results. */
  readonly others?: number;
}

/** Runs the work and notes what else the machine did. What outlives the work, such as a cluster, counts as others. */
export async function loadOf<T>(work: () => Promise<T>): Promise<{ result: T; load: Load }> {
  const before = loadavg()[0]!;
  const start = processorTimes();
  const result = await work();
  const end = processorTimes();
  const load = { before, after: loadavg()[0]! };
  if (!start || !end) return { result, load };
  const [all, busy, own] = [end.all - start.all, end.busy - start.busy, end.own - start.own];
  return { result, load: { ...load, others: all > 0 ? Math.max(0, (busy - own) / all) : 0 } };
}

/** Hundredths of a second of all processors: since the start of the machine, and of this process and its ended children. */
function processorTimes() {
  try {
    const all = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(1, 9).map(Number);
    const own = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11, 15)
      .map(Number);
    const sum = (times: number[]) => times.reduce((total, time) => total + time, 0);
    return { all: sum(all), busy: sum(all) - all[3]! - all[4]!, own: sum(own) };
  } catch {
    return null;
  }
}
