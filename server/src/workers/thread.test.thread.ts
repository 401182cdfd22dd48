/** A thread whose methods end in every way. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { serveThread } from './thread.ts';

serveThread({
  add: (a: number, b: number) => a + b,
  later: async (value: string) => (await sleep(20), value),
  never: () => new Promise(() => {}),
  fails: () => {
    throw Object.assign(new Error('at once'), { code: 'E_ONCE' });
  },
  failsLater: () => Promise.reject(new Error('later')),
  throwsText: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- foreign code may
    throw 'a text';
  },
  crash: () =>
    void setImmediate(() => {
      throw new Error('unexpected');
    }),
  exit: () => process.exit(7),
  answersAgain: () => {
    parentPort!.postMessage({ id: 1, value: 'again' });
    parentPort!.postMessage({ id: 1, fault: { message: 'again' } });
  },
});
