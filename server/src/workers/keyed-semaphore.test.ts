import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { KeyedSemaphore } from './keyed-semaphore.ts';

test('at most the limit runs of one key, in order; another key does not wait', async () => {
  const semaphore = new KeyedSemaphore<string>(2);
  const begun: string[] = [];
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const work = (name: string) =>
    semaphore.run(name[0]!, async () => {
      const key = name[0]!;
      running.set(key, 1 + (running.get(key) ?? 0));
      most.set(key, Math.max(most.get(key) ?? 0, running.get(key)!));
      begun.push(name);
      await later();
      running.set(key, running.get(key)! - 1);
      return name;
    });
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'];
  assert.deepEqual(await Promise.all(names.map(work)), names);
  assert.deepEqual(begun.slice(0, 4), ['a1', 'a2', 'b1', 'c1']);
  assert.deepEqual(
    begun.filter((name) => name.startsWith('a')),
    ['a1', 'a2', 'a3', 'a4'],
  );
  assert.deepEqual([...most.values()], [2, 1, 1]);
});

test('work that fails frees its place', async () => {
  const semaphore = new KeyedSemaphore<number>(2);
  const bad = [1, 2].map(() => semaphore.run(1, () => Promise.reject(new Error('no'))));
  const good = semaphore.run(1, () => Promise.resolve('yes'));
  for (const each of bad) await assert.rejects(each, /no/);
  assert.equal(await good, 'yes');
});
