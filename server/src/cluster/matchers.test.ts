import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import threads from 'node:worker_threads';
import { Matchers } from './matchers.ts';

test('a call goes to the thread with least to do, and is counted until it ends, failed or not', async () => {
  const matchers = new Matchers(2);
  try {
    assert.equal(matchers.count, 2);
    const threads = new Set<unknown>();
    for (let round = 0; round < 3; round++) {
      let resolve!: () => void;
      const promise = new Promise<void>((done) => (resolve = done));
      const both = Array.from({ length: 2 }, () => {
        return matchers.run((matcher) => (threads.add(matcher), promise));
      });
      assert.equal(threads.size, 2, `in round ${round}`);
      resolve();
      await Promise.all(both);
      await assert.rejects(matchers.run(() => Promise.reject(new Error('failed'))));
      threads.clear();
    }
  } finally {
    await matchers.close();
  }
});

test('a call that fails in its thread leaves the thread for the next one; after the close there is none', async () => {
  const matchers = new Matchers(1);
  const wrong = () => matchers.run((matcher) => matcher.document(1, 'filter', new Uint8Array(1)));
  for (let i = 0; i < 2; i++) await assert.rejects(wrong(), /filter has no terms/);
  await matchers.close();
  await assert.rejects(wrong(), { error: 'SHUTTING_DOWN' });
});

test('a thread that ends by itself fails its calls and is replaced, until the close', async (t) => {
  const { Worker } = threads;
  const begun: threads.Worker[] = [];
  threads.Worker = class extends Worker {
    constructor(...of: ConstructorParameters<typeof Worker>) {
      super(...of);
      begun.push(this);
    }
  };
  syncBuiltinESMExports();
  t.after(() => {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  });
  const matchers = new Matchers(2);
  const wrong = () => matchers.run((matcher) => matcher.document(1, 'filter', new Uint8Array(1)));
  await assert.rejects(wrong(), /filter has no terms/);
  const failing = assert.rejects(wrong(), { error: 'INTERNAL' });
  await Promise.all(begun.map((worker) => worker.terminate()));
  await failing;
  assert.deepEqual([begun.length, matchers.count], [4, 2]);
  for (let i = 0; i < 2; i++) await assert.rejects(wrong(), /filter has no terms/);
  await matchers.close();
  await assert.rejects(wrong(), { error: 'SHUTTING_DOWN' });
  assert.equal(begun.length, 4);
});
