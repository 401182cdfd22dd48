/** Processor time of one measurement, in milliseconds. */
const SAMPLE = 4;

/** How many times longer than its processor time this process takes; 1 on an idle machine. */
export function slowdownNow(): number {
  const [start, used] = [performance.now(), process.cpuUsage()];
  for (;;) {
    const { user, system } = process.cpuUsage(used);
    const ms = (user + system) / 1000;
    if (ms >= SAMPLE) return Math.max(1, (performance.now() - start) / ms);
  }
}
