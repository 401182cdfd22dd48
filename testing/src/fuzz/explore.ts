import { oneOf, type Random } from '../pictures/random.ts';
import type { Coverage } from './coverage.ts';
import { mutated } from './mutate.ts';
import { kindOf, type Finding, type Opened } from './target.ts';

export interface Exploration {
  readonly executions: number;
  /** Inputs that were kept for further changes, the seeds among them. */
  readonly kept: number;
  readonly finding?: Finding;
}

export interface Way {
  readonly random: Random;
  /** Left out: what is kept depends on the outcomes alone. */
  readonly coverage?: Coverage | undefined;
  /** Processor time that one input may take, in milliseconds. */
  readonly limit: number;
  /** Called before each input, with the number of those before it. */
  more(executions: number): boolean;
  /** Called before each input, so that it is known should the process end. */
  before?(input: Uint8Array, executions: number): void;
}

const [SMALLEST_BATCH, LARGEST_BATCH] = [8, 512];
const LONGEST = 100_000;
/** Outcomes that count; a target whose outcomes quote its inputs would keep all of them. */
const MOST_OUTCOMES = 300;

/**
 * Changes inputs, gives them to the target and keeps those that execute new blocks of it or have a new outcome: the
 * evolutionary search of AFL (M. Zalewski, 2014). Ends with the first finding, or when `more` says so.
 */
export async function explore(target: Opened, way: Way): Promise<Exploration> {
  const { random, coverage } = way;
  const mutate = target.mutate ?? ((input, random, others) => mutated(input, random, others, { longest: LONGEST }));
  const corpus: Uint8Array[] = [];
  const outcomes = new Set<string>();
  let executions = 0;
  let finding: Finding | undefined;
  const found = (): boolean => finding !== undefined; // the compiler does not see that `attempt` sets it

  /** Whether the outcome is new. */
  async function attempt(input: Uint8Array): Promise<boolean> {
    way.before?.(input, executions);
    executions++;
    try {
      const known = outcomes.size;
      const outcome = kindOf(await execute(target, input, way.limit));
      if (known < MOST_OUTCOMES) outcomes.add(outcome);
      return outcomes.size > known;
    } catch (cause) {
      finding ??= { input, fault: String(cause instanceof Error ? cause.stack : cause) };
      return false;
    }
  }

  for (const seed of target.seeds) {
    await attempt(seed);
    corpus.push(seed);
    if (found()) break;
  }
  coverage?.sees({ record: true });

  let batch = SMALLEST_BATCH;
  while (!found() && way.more(executions)) {
    const tried: Uint8Array[] = [];
    while (!found() && tried.length < batch && way.more(executions)) {
      // half the time one of those found last
      const recent = corpus.length - 1 - Math.floor(random() * Math.min(8, corpus.length));
      const input = mutate(random() < 0.5 ? corpus[recent]! : oneOf(random, corpus), random, corpus);
      if (await attempt(input)) corpus.push(input);
      else tried.push(input);
    }
    batch = Math.min(LARGEST_BATCH, 2 * batch);
    if (!coverage || found() || !coverage.sees({ record: false })) continue;

    // the counters are for the whole batch, so its inputs are executed again, one by one
    batch = SMALLEST_BATCH;
    for (const input of tried) {
      await attempt(input);
      if (found()) break;
      if (coverage.sees({ record: true })) corpus.push(input);
    }
  }
  return { executions, kept: corpus.length, ...(finding && { finding }) };
}

/** The outcome of one input; fails as `run` does, and for one that takes too long. */
export async function execute(target: Opened, input: Uint8Array, limit: number): Promise<string> {
  const started = process.cpuUsage();
  const outcome = await target.run(input);
  const { user, system } = process.cpuUsage(started);
  const ms = (user + system) / 1000;
  if (ms > limit) throw new Error(`expected at most ${limit} ms of processor time, took ${Math.round(ms)} ms`);
  return outcome;
}
