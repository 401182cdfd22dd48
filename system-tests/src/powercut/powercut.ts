import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { faultsIn, simulate, type Faults } from '@sosia/testing/powercut/simulate';
import { type GateResult, notRun, sizeOf } from '../gate.ts';

/** States of the disk a workload and model. */
const STATES = sizeOf('SOSIA_POWERCUT_STATES', { usual: 60, whole: 1000 });
const SEED = Number(process.env['SOSIA_SEED'] ?? Date.now() % 1_000_000);

/** What the writer does, and whether it is honest: one that acknowledges too early has to be caught. */
const workloads = { adds: true, mixed: true, concurrent: true, snapshot: true, early: false };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Writes with the real store under strace, rebuilds the states that a power cut at a random moment could leave on the
 * disk (unsynced writes lost, torn or in part, names in order or not), and opens each with the real store: nothing
 * acknowledged may be missing, nothing may be there that was never asked for, and every state must open.
 */
export async function run(): Promise<GateResult> {
  if (spawnSync('strace', ['--version']).error) return notRun('strace');
  const total = { states: 0, lost: 0, unopenable: 0, ghosts: 0, altered: 0, caughtOnPurpose: 0 };
  const faults: string[] = [];
  const names = Object.keys(workloads) as (keyof typeof workloads)[];
  await Promise.all(
    names.map(async (name) => {
      const models = await simulate({
        name,
        run: [process.execPath, here('writer.js'), name],
        // libsql gives file descriptors back only when garbage is collected
        check: [process.execPath, '--expose-gc', here('checker.js')],
        states: workloads[name] ? STATES : 40,
        seed: SEED,
        judge,
      });
      for (const model of ['ordered', 'posix'] as const) {
        const counts = models[model];
        const wrong = faultsIn(counts);
        if (!workloads[name]) {
          total.caughtOnPurpose += wrong;
          continue;
        }
        for (const kind of ['states', 'lost', 'unopenable', 'ghosts', 'altered'] as const) total[kind] += counts[kind];
        if (wrong > 0) faults.push(`${name}, ${model}: ${JSON.stringify(counts)}`);
      }
    }),
  );
  if (total.caughtOnPurpose === 0) faults.push('a writer that acknowledges too early was not caught');
  return { passed: faults.length === 0, figures: { seed: SEED, ...total, faults } };
}

/** The checker answers with the changes that show. */
function judge(
  tried: ReadonlySet<string>,
  acknowledged: ReadonlySet<string>,
  { ids, bad }: { ids: readonly string[]; bad: boolean },
): Faults {
  const shown = new Set(ids);
  return {
    lost: [...acknowledged].filter((change) => !shown.has(change)),
    ghosts: ids.filter((change) => !tried.has(change)),
    altered: bad,
  };
}
