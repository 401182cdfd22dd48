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
