import { processorTime } from './processor-time.ts';

/** How a watch ended that was not called off: the work was too much, stood still, or got too little of a busy machine. */
export type Lateness = 'too much' | 'stands still' | 'starved';

/** Milliseconds without progress after which a process stands still; one that waits for its turn is idle for less. */
const STILL = 1000;
/** Processor time is counted in hundredths of a second, so shorter times between two looks would show nothing. */
const SHORTEST_LOOK = 50;

/**
 * Watches a process that was given work, and tells once when it is late. Where the system counts processor time, a process
 * that is short of it is given up to `patience`: a busy machine should be slow, not refuse.
 * @param timeLimit  milliseconds for the work: of the clock, and of processor time for who goes on after them
 * @param patience  milliseconds of the clock after which even a starved process is late; where they are no more than
 *   `timeLimit`, the clock alone counts
 * @returns calls the watch off
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
  let timer = setTimeout(look, timeLimit);
  return () => clearTimeout(timer);

  function look(): void {
    const now = timeOf(pid);
    if (now === undefined || before === undefined || seen === undefined) return late('too much');
    const work = timeLimit - (now - before);
    const clock = performance.now();
    const time = patience - (clock - started);
    if (work <= 0 || patience <= timeLimit) return late('too much');
    if (now === seen && clock - progress >= STILL) return late('stands still');
    if (time <= 0) return late('starved');
    if (now !== seen) progress = clock;
    seen = now;
    timer = setTimeout(look, Math.min(Math.max(work, SHORTEST_LOOK), time));
  }
}
