import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { standardDefaults } from '@sosia/server';
import { faultsIn, simulate, type Faults } from '@sosia/testing/powercut/simulate';
import { type GateResult, notRun, sizeOf } from '../gate.ts';
import type { Shown } from './checker.ts';

/** States of the disk a model. */
const STATES = sizeOf('SOSIA_POWERCUT_STATES', { usual: 100, whole: 1000 });
const SEED = Number(process.env['SOSIA_SEED'] ?? Date.now() % 1_000_000);

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The power is cut under a whole server: clients add and delete over HTTP, and a change counts as acknowledged once its client
 * has the answer. `sosia app` and the server are under strace with the clients, so that answers and writes to the disk have one order. The
 * same run, as if nothing had been flushed, must be caught.
 */
export async function run(): Promise<GateResult> {
  if (spawnSync('strace', ['--version']).error) return notRun('strace');
  const simulation = {
    name: 'server',
    run: [process.execPath, here('clients.js')],
    // libsql gives file descriptors back only when garbage is collected
    check: [process.execPath, '--expose-gc', here('checker.js')],
    states: STATES,
    statesUnflushed: 20,
    seed: SEED,
    judge,
  };
  const { ordered, posix, unflushed } = await simulate(simulation);
  const faults = Object.entries({ ordered, posix })
    .filter(([, counts]) => faultsIn(counts) > 0)
    .map(([model, counts]) => `${model}: ${JSON.stringify(counts)}`);
  const caughtOnPurpose = faultsIn(unflushed);
  if (caughtOnPurpose === 0) faults.push('a server that flushes nothing was not caught');
  const total = (kind: 'states' | 'lost' | 'ghosts' | 'altered' | 'unopenable') => ordered[kind] + posix[kind];
  const figures = {
    seed: SEED,
    acknowledged: ordered.acknowledged,
    states: total('states'),
    lost: total('lost'),
    unopenable: total('unopenable'),
    ghosts: total('ghosts'),
    altered: total('altered'),
    caughtOnPurpose,
    faults,
  };
  return { passed: faults.length === 0, figures };
}

function judge(
  tried: ReadonlySet<string>,
  acknowledged: ReadonlySet<string>,
  { defaults, ids, altered }: Shown,
): Faults {
  const there = new Set(ids);
  const [results] = defaults;
  const lost = [...acknowledged].filter((change) => {
    const [word, what] = change.split(' ') as [string, string?];
    if (word === 'add') return !there.has(what!) && !tried.has(`delete ${what}`);
    if (word === 'delete') return there.has(what!);
    if (word === 'application') return results === undefined;
    return word === 'default' && results !== Number(what);
  });
  const ghosts = [
    ...ids.filter((id) => !tried.has(`add ${id}`)).map((id) => `add ${id}`),
    ...(results !== undefined && !tried.has('application') ? ['application'] : []),
    ...(results !== undefined && results !== standardDefaults.nbResults && !tried.has(`default ${results}`)
      ? [`default ${results}`]
      : []),
  ];
  return { lost, ghosts, altered: altered.length > 0 };
}
