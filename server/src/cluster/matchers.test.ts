import assert from 'node:assert/strict';
import { test } from 'node:test';
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
