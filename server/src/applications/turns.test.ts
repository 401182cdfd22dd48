import assert from 'node:assert/strict';
import { setImmediate as later } from 'node:timers/promises';
import { test } from 'node:test';
import { Turns } from './turns.ts';

test('work on one id runs in the order it came, one at a time, past failures', async () => {
  const turns = new Turns();
  const log: string[] = [];
  const step = (name: string, fails = false) =>
    turns.take('a', async () => {
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
  assert.equal(turns.size, 0);
});

test('another id does not wait', async () => {
  const turns = new Turns();
  let release = () => {};
  const held = turns.take('a', () => new Promise<void>((resolve) => (release = resolve)));
  await turns.take('b', async () => {});
  assert.equal(turns.size, 1);
  release();
  await held;
});
