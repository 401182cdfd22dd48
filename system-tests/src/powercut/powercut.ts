import { fileURLToPath } from 'node:url';
import { faultsIn, simulate } from '@sosia/testing/powercut/simulate';
import { systemTest } from '@sosia/testing/harness/system-test';

/** The workloads of the writer, and whether it is honest: one that acknowledges too early must be noticed. */
const workloads = { adds: true, mixed: true, concurrent: true, snapshot: true, early: false };
const STATES_EARLY = 40;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Writes with the real store under strace, rebuilds disk states that a power cut at a random moment could leave, and opens each
 * with the real store. Unsynced writes are lost, torn or kept in part, and names are kept in order or not.
 */
export default systemTest({
  name: 'powercut',
  promise: 'The store keeps every acknowledged change over a power cut, and shows no change that was never tried.',
  needs: ['strace'],
  sizes: { SOSIA_POWERCUT_STATES: { usual: 60, whole: 1000 } },
  async run({ seed, size, faults, expect }) {
    const total = { acknowledged: 0, states: 0, lost: 0, ghost: 0, altered: 0, unopenable: 0 };
    let caughtOnPurpose = 0;
    const trial = async ([name, honest]: [string, boolean]): Promise<void> => {
      const { ordered, posix } = await simulate({
        name,
        run: [process.execPath, here('writer.js'), name],
        checker: here('checker.js'),
        states: honest ? size.SOSIA_POWERCUT_STATES : STATES_EARLY,
        seed,
      });
      if (!honest) return void (caughtOnPurpose = faultsIn(ordered) + faultsIn(posix));
      for (const [model, counts] of Object.entries({ ordered, posix })) {
        for (const kind of Object.keys(total) as (keyof typeof total)[]) total[kind] += counts[kind];
        expect(faultsIn(counts) === 0, `${name}, ${model}: ${JSON.stringify(counts)}`);
      }
    };
    await Promise.all(Object.entries(workloads).map(trial));
    if (caughtOnPurpose === 0) faults.push('a writer that acknowledges too early was not noticed');
    return { ...total, caughtOnPurpose };
  },
});
