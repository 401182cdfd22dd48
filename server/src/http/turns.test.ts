import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Turns } from './turns.ts';

test('each turn of the event loop has one piece of work, in the order of entering, also of work that enters again', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const work = (name: string, times: number) => (): void => {
    done.push(name);
    if (times > 1) turns.enter(work(name, times - 1));
  };
  turns.enter(work('a', 3));
  turns.enter(work('b', 1));
  for (let n = 1; n <= 4; n++) {
    await turn();
    assert.equal(done.length, n);
  }
  for (let i = 0; i < 3; i++) await turn();
  assert.deepEqual(done, ['a', 'b', 'a', 'a']);
  turns.enter(work('c', 2));
  for (let i = 0; i < 3; i++) await turn();
  assert.deepEqual(done.slice(4), ['c', 'c']);
});
