import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { randomFor } from '../pictures/random.ts';
import { Disk, type NameModel } from './disk.ts';
import { type DiskEvent, traced } from './trace.ts';

export interface Simulation {
  readonly name: string;
  /**
   * The program that writes; it is given the folder as its last word. On stdout, unbuffered, it says `TRY x` before each
   * change and `ACK x` once this change is acknowledged.
   */
  readonly run: readonly string[];
  /** Reads the path of a folder a line and answers each with a line of JSON: what it finds, or `{"error": …}`. */
  readonly check: readonly string[];
  /** Power cuts for each model of names. */
  readonly states: number;
  /** Power cuts to the same run as if nothing had been flushed, which the judge must not let pass. */
  readonly statesUnflushed?: number;
  readonly seed: number;
  readonly judge: Judge;
}

/** What must not be, after a power cut. */
export interface Faults {
  /** Changes that were acknowledged and do not show. */
  readonly lost: readonly string[];
  /** Changes that show and were never asked for. */
  readonly ghosts: readonly string[];
  /** Something shows that is not as it was written. */
  readonly altered: boolean;
}

export type Judge = (tried: ReadonlySet<string>, acknowledged: ReadonlySet<string>, seen: never) => Faults;

export interface Counts {
  readonly states: number;
  /** Changes acknowledged in the whole run. */
  readonly acknowledged: number;
  readonly lost: number;
  readonly ghosts: number;
  readonly altered: number;
  readonly unopenable: number;
  /** The first fault in words, empty for none. */
  readonly example: string;
}

/** Cuts the power at moments after the first acknowledgement, and has each state of the disk judged. */
export async function simulate(simulation: Simulation): Promise<Record<NameModel | 'unflushed', Counts>> {
  const scratch = realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sosia-powercut-')));
  const folder = join(scratch, 'data');
  mkdirSync(folder);
  try {
    const events = await traced([...simulation.run, folder], folder, join(scratch, 'said'));
    rmSync(folder, { recursive: true });
    const checker = startChecker(simulation.check);
    const counts = {
      ordered: await replay('ordered', events),
      posix: await replay('posix', events),
      unflushed: await replay('ordered', events.filter(isNoFlush), simulation.statesUnflushed ?? 0),
    };
    await checker.end();
    return counts;

    async function replay(model: NameModel, events: readonly DiskEvent[], states = simulation.states): Promise<Counts> {
      const { name, seed, judge } = simulation;
      const first = events.findIndex((event) => event.kind === 'said' && event.line.startsWith('ACK '));
      if (first < 0) throw new Error(`${name}: nothing was acknowledged`);
      const random = randomFor('powercut', seed, name, model, states);
      const cuts = Array.from({ length: states }, () => first + Math.floor(random() * (events.length + 1 - first)));
      cuts.sort((a, b) => a - b);

      const disk = new Disk(model);
      const [tried, acknowledged] = [new Set<string>(), new Set<string>()];
      const acks = events.filter((event) => event.kind === 'said' && event.line.startsWith('ACK ')).length;
      const counts = { states, acknowledged: acks, lost: 0, ghosts: 0, altered: 0, unopenable: 0, example: '' };
      let next = 0;
      for (const [state, cut] of cuts.entries()) {
        for (; next < cut; next++) {
          const event = events[next]!;
          disk.take(event);
          if (event.kind !== 'said') continue;
          if (event.line.startsWith('TRY ')) tried.add(event.line.slice(4));
          if (event.line.startsWith('ACK ')) acknowledged.add(event.line.slice(4));
        }
        // never the same path twice: SQLite knows files by their path
        const copy = join(scratch, `${model}-${states}-${state}`);
        mkdirSync(copy);
        for (const [path, bytes] of disk.cut(random)) {
          const target = join(copy, relative(folder, path));
          mkdirSync(dirname(target), { recursive: true });
          writeFileSync(target, bytes);
        }
        const seen = (await checker.check(copy)) as { error?: string };
        rmSync(copy, { recursive: true });
        if (seen.error !== undefined) {
          counts.unopenable++;
          counts.example ||= seen.error;
          continue;
        }
        const { lost, ghosts, altered } = judge(tried, acknowledged, seen as never);
        if (lost.length > 0) counts.lost++;
        if (ghosts.length > 0) counts.ghosts++;
        if (altered) counts.altered++;
        const [word] = [...lost.map((what) => `lost ${what}`), ...ghosts.map((what) => `ghost ${what}`)];
        counts.example ||= word ?? (altered ? 'altered' : '');
      }
      return counts;
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function isNoFlush({ kind }: DiskEvent): boolean {
  return kind !== 'flush' && kind !== 'flush folder';
}

export function faultsIn({ lost, ghosts, altered, unopenable }: Counts): number {
  return lost + ghosts + altered + unopenable;
}

function startChecker(command: readonly string[]) {
  const child = spawn(command[0]!, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async check(folder: string): Promise<unknown> {
      child.stdin.write(`${folder}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('the checker ended');
      return JSON.parse(value as string);
    },
    async end(): Promise<void> {
      const exit = once(child, 'exit');
      child.kill(); // a database may keep it alive
      await exit;
    },
  };
}
