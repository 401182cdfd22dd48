import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as iteration } from 'node:timers/promises';
import { LoopQueue } from './loop-queue.ts';

test('each iteration of the event loop has one piece of work, in the order of pushing, also of work that is pushed again', async () => {
  const queue = new LoopQueue();
  const done: string[] = [];
  const work = (name: string, times: number) => (): void => {
    done.push(name);
    if (times > 1) queue.push(work(name, times - 1));
  };
  queue.push(work('a', 3));
  queue.push(work('b', 1));
  for (let n = 1; n <= 4; n++) {
    await iteration();
    assert.equal(done.length, n);
  }
  for (let i = 0; i < 3; i++) await iteration();
  assert.deepEqual(done, ['a', 'b', 'a', 'a']);
  queue.push(work('c', 2));
  for (let i = 0; i < 3; i++) await iteration();
  assert.deepEqual(done.slice(4), ['c', 'c']);
});
