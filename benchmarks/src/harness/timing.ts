import { Bench } from 'tinybench';

/** In milliseconds. The best run says most on a machine that does other work too. */
export interface Times {
  readonly best: number;
  readonly median: number;
}

/** Times several kinds of work one after another, each for 300 ms and 5 runs at least, after a warm-up. */
export async function timesOf<Name extends string>(work: Readonly<Record<Name, () => unknown>>) {
  const bench = new Bench({ time: 300, iterations: 5, warmupTime: 50, warmupIterations: 1, throws: true });
  for (const [name, run] of Object.entries<() => unknown>(work)) bench.add(name, run, { async: false });
  const tasks = await bench.run();
  const entries = tasks.map(({ name, result }): [string, Times] => {
    if (result.state !== 'completed') throw new Error(`${name}: ${result.state}`);
    return [name, { best: result.latency.min, median: result.latency.p50 }];
  });
  return Object.fromEntries(entries) as Record<Name, Times>;
}

/** One run of something that is waited for, in milliseconds. */
export async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** What some requests took. */
export interface Cost<Processes extends string> {
  /** Of each request, in milliseconds. */
  readonly wall: readonly number[];
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds of the processor for one request. */
  readonly processor: Readonly<Record<Processes, number>>;
}

/**
 * @param processes  for each name the processor time that some processes have taken so far, in milliseconds
 * @param atOnce  requests that are waited for at the same time
 */
export async function costOf<Processes extends string>(
  processes: Readonly<Record<Processes, () => number>>,
  count: number,
  request: (i: number) => Promise<unknown>,
  atOnce = 1,
): Promise<Cost<Processes>> {
  const clocks = Object.entries<() => number>(processes);
  const before = clocks.map(([, clock]) => clock());
  const wall: number[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) {
      const i = next++;
      wall.push(await elapsed(async () => request(i)));
    }
  };
  const total = await elapsed(async () => Promise.all(Array.from({ length: atOnce }, client)));
  const processor = clocks.map(([name, clock], i) => [name, (clock() - before[i]!) / count] as const);
  return { wall, rate: (1000 * count) / total, processor: Object.fromEntries(processor) as Record<Processes, number> };
}
