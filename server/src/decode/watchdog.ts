import { processorTime } from './processor-time.ts';

/** How a watch ended that was not called off: the work was too much, stood still, or got too little of a busy machine. */
export type Lateness = 'too much' | 'stands still' | 'starved';

/** Shorter times between two looks would take a process that waits for its turn for one that stands still. */
const SHORTEST_LOOK = 1000;

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
  let timer = setTimeout(look, timeLimit);
  return () => clearTimeout(timer);

  function look(): void {
    const now = timeOf(pid);
    if (now === undefined || before === undefined || seen === undefined) return late('too much');
    const work = timeLimit - (now - before);
    const time = patience - (performance.now() - started);
    if (work <= 0 || patience <= timeLimit) return late('too much');
    if (now === seen) return late('stands still');
    if (time <= 0) return late('starved');
    seen = now;
    timer = setTimeout(look, Math.min(Math.max(work, SHORTEST_LOOK), time));
  }
}
