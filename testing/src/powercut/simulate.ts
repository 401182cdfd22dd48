import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { startChecker } from '../checker.ts';
import { isAck, noteLine } from '../ledger/announced.ts';
import { Ledger } from '../ledger/ledger.ts';
import { oneOf, randomFor } from '../pictures/random.ts';
import { Disk, type NameModel } from './disk.ts';
import { type DiskEvent, traced } from './trace.ts';

export interface Simulation {
  readonly name: string;
  /** The program that writes, without its last word, the folder. It announces its writes (../ledger/announced.ts). */
  readonly run: readonly string[];
  /** A checker (../checker.ts) that answers the path of a folder with its contents by id. */
  readonly checker: string;
  /** Power cuts for each model of names. */
  readonly states: number;
  /** Power cuts to the same run as if nothing had been flushed, which must be noticed. */
  readonly statesUnflushed?: number;
  readonly seed: string;
}

/** States by what was wrong with them. */
export interface Counts {
  readonly states: number;
  /** Writes acknowledged in the whole run. */
  readonly acknowledged: number;
  readonly lost: number;
  readonly ghost: number;
  readonly altered: number;
  readonly unopenable: number;
  /** The first fault in words, empty for none. */
  readonly example: string;
}

/** Cuts the power at moments of a run, and compares each state of the disk with the ledger of that moment. */
export async function simulate(simulation: Simulation): Promise<Record<NameModel | 'unflushed', Counts>> {
  const scratch = realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sosia-powercut-')));
  const folder = join(scratch, 'data');
  mkdirSync(folder);
  const checker = startChecker(simulation.checker);
  try {
    const events = await traced([...simulation.run, folder], folder, join(scratch, 'said'));
    rmSync(folder, { recursive: true });
    return {
      ordered: await replay('ordered', events),
      posix: await replay('posix', events),
      unflushed: await replay('ordered', events.filter(isNoFlush), simulation.statesUnflushed ?? 0),
    };
  } finally {
    await checker.end();
    rmSync(scratch, { recursive: true, force: true });
  }

  async function replay(model: NameModel, events: readonly DiskEvent[], states = simulation.states): Promise<Counts> {
    const afterAcks = events.flatMap((event, i) => (event.kind === 'said' && isAck(event.line) ? [i + 1] : []));
    const acknowledged = afterAcks.length;
    if (acknowledged === 0) throw new Error(`${simulation.name}: nothing was acknowledged`);
    const counts = { states, acknowledged, lost: 0, ghost: 0, altered: 0, unopenable: 0, example: '' };

    const random = randomFor('powercut', simulation.seed, simulation.name, model, states);
    // half of them directly after an acknowledgement, where one that comes too early shows
    const cuts = Array.from({ length: states }, (_, i) =>
      i % 2 === 0 ? oneOf(random, afterAcks) : Math.floor(random() * (events.length + 1)),
    );
    const disk = new Disk(model);
    const ledger = new Ledger();
    let next = 0;
    for (const [state, cut] of cuts.sort((a, b) => a - b).entries()) {
      for (; next < cut; next++) {
        const event = events[next]!;
        disk.take(event);
        if (event.kind === 'said') noteLine(ledger, event.line);
      }
      // never the same path twice: SQLite knows files by their path
      const copy = join(scratch, `${model}-${states}-${state}`);
      writeState(copy, disk.cut(random));
      try {
        const contents = (await checker.ask(copy)) as Record<string, string>;
        const faults = ledger.compare(new Map(Object.entries(contents)));
        for (const kind of new Set(faults.map((fault) => fault.kind))) counts[kind]++;
        counts.example ||= faults[0]?.text ?? '';
      } catch (cause) {
        counts.unopenable++;
        counts.example ||= (cause as Error).message;
      }
      rmSync(copy, { recursive: true });
    }
    return counts;
  }

  function writeState(copy: string, files: ReadonlyMap<string, Uint8Array>): void {
    mkdirSync(copy);
    for (const [path, bytes] of files) {
      const target = join(copy, relative(folder, path));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    }
  }
}

function isNoFlush({ kind }: DiskEvent): boolean {
  return kind !== 'flush' && kind !== 'flush folder';
}

export function faultsIn({ lost, ghost, altered, unopenable }: Counts): number {
  return lost + ghost + altered + unopenable;
}
