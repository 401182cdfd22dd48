import { processorTime } from './processor-time.ts';

/** Why a process is late: it used up its time, it made no progress, or a busy machine gave it too little time. */
export type Lateness = 'used up' | 'stalled' | 'starved';

/** Milliseconds without progress after which a process is stalled; one that waits for its time slice is idle for less. */
const STALL = 1000;
/** Processor time is counted in hundredths of a second, so a shorter interval would show no progress. */
const SHORTEST_INTERVAL = 50;

/**
 * Watches a process that was given work, and calls `late` once when it is late. Where the system counts processor time, a
 * process that is short of it has until `patience`: a busy machine should be slow rather than refuse.
 * @param timeLimit  milliseconds for the work: of the clock, then of processor time for a process that makes progress
 * @param patience  milliseconds of the clock after which even a starved process is late; where they are no more than
 *   `timeLimit`, the clock alone counts
 * @returns ends the watch
 */
export function watch(
  pid: number,
  timeLimit: number,
  patience: number,
  late: (how: Lateness) => void,
  timeOf: (pid: number) => number | undefined = processorTime,
): () => void {
  const started = performance.now();
  const before = timeOf(pid);
  let seen = before;
  let progress = -Infinity;
  let timer = setTimeout(check, timeLimit);
  return () => clearTimeout(timer);

  function check(): void {
    const now = timeOf(pid);
    if (now === undefined || before === undefined || seen === undefined) return late('used up');
    const work = timeLimit - (now - before);
    const clock = performance.now();
    const time = patience - (clock - started);
    if (work <= 0 || patience <= timeLimit) return late('used up');
    if (now === seen && clock - progress >= STALL) return late('stalled');
    if (time <= 0) return late('starved');
    if (now !== seen) progress = clock;
    seen = now;
    timer = setTimeout(check, Math.min(Math.max(work, SHORTEST_INTERVAL), time));
  }
}
