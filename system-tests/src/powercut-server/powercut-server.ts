import { fileURLToPath } from 'node:url';
import { faultsIn, simulate } from '@sosia/testing/powercut/simulate';
import { systemTest } from '@sosia/testing/harness/system-test';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Clients add and delete over HTTP, and a change counts as acknowledged once its client has the answer. `sosia app` and the
 * service run under strace with the clients, so that answers and writes to the disk have one order.
 */
export default systemTest({
  name: 'powercut-server',
  promise: 'A service keeps over a power cut every change that it acknowledged over HTTP or through `sosia app`.',
  needs: ['strace'],
  sizes: { SOSIA_POWERCUT_STATES: { usual: 100, whole: 1000 } },
  async run({ seed, size, expect }) {
    const { ordered, posix, unflushed } = await simulate({
      name: 'server',
      run: [process.execPath, here('clients.js')],
      checker: here('checker.js'),
      states: size.SOSIA_POWERCUT_STATES,
      statesUnflushed: 20,
      seed,
    });
    for (const [model, counts] of Object.entries({ ordered, posix })) {
      expect(faultsIn(counts) === 0, `${model}: ${JSON.stringify(counts)}`);
    }
    const caughtOnPurpose = faultsIn(unflushed);
    expect(caughtOnPurpose > 0, 'a service that flushes nothing was not noticed');
    return { ordered, posix, caughtOnPurpose };
  },
});
