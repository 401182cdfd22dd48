import assert from 'node:assert/strict';
import { setImmediate as later } from 'node:timers/promises';
import { test } from 'node:test';
import { KeyedMutex } from './keyed-mutex.ts';

test('work on one id runs in order, one at a time, even after failures', async () => {
  const mutex = new KeyedMutex();
  const log: string[] = [];
  const step = (name: string, fails = false) =>
    mutex.run('a', async () => {
      log.push(`${name} starts`);
      await later();
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([step('1'), step('2', true), step('3')]);
  assert.deepEqual(log, ['1 starts', '1 ends', '2 starts', '2 ends', '3 starts', '3 ends']);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  await later();
  assert.equal(mutex.size, 0);
});

test('another id does not wait', async () => {
  const mutex = new KeyedMutex();
  let release = () => {};
  const held = mutex.run('a', () => new Promise<void>((resolve) => (release = resolve)));
  await mutex.run('b', async () => {});
  assert.equal(mutex.size, 1);
  release();
  await held;
});
