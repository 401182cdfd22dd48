import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import type { Steps } from '@sosia/engine';
import { StepQueue } from './step-queue.ts';

/** Work of so many steps that writes its name down at each. */
function* work(name: string, steps: number, order: string[]): Steps<string> {
  for (let i = 1; i < steps; i++) {
    order.push(name);
    yield;
  }
  order.push(name);
  return name;
}

test('applications alternate slice by slice, the work of each in its order', async () => {
  const queue = new StepQueue(0); // a step is a slice
  const order: string[] = [];
  const jobs = [
    ['a', 1, 3],
    ['b', 1, 1],
    ['c', 2, 2],
    ['d', 3, 1],
  ] as const;
  const done = jobs.map(([name, application, steps]) => queue.run(application, () => work(name, steps, order)));
  assert.deepEqual(await Promise.all(done), ['a', 'b', 'c', 'd']);
  assert.equal(order.join(''), 'acdacab');
});

test('work that comes while other work goes on comes next', async () => {
  const queue = new StepQueue(0);
  const order: string[] = [];
  const long = queue.run(1, () => work('a', 1000, order));
  for (let i = 0; i < 5; i++) await later();
  await queue.run(2, () => work('b', 1, order));
  assert.ok(order.indexOf('b') > 0 && order.length < 50, `after ${order.length} steps`);
  await long;
});

test('work is begun after all earlier work of the application', async () => {
  const queue = new StepQueue(0);
  const held: string[] = [];
  const adding = queue.run(1, function* () {
    yield;
    yield;
    held.push('picture');
  });
  const running = queue.run(1, function* () {
    return [...held];
  });
  await adding;
  assert.deepEqual(await running, ['picture']);
});

test('work that comes after all other work is done is done, too', async () => {
  const queue = new StepQueue(0);
  for (let i = 0; i < 3; i++) {
    assert.equal(await queue.run(1, () => work('a', 2, [])), 'a');
    await later();
    await later();
  }
});

test('work that throws, at first or at a later step, rejects alone', async () => {
  const queue = new StepQueue(0);
  const order: string[] = [];
  const bad = [
    queue.run(1, () => {
      throw new Error('at first');
    }),
    queue.run(1, function* () {
      yield;
      throw new Error('later');
    }),
  ];
  const good = queue.run(1, () => work('a', 2, order));
  await assert.rejects(bad[0]!, /at first/);
  await assert.rejects(bad[1]!, /later/);
  assert.equal(await good, 'a');
});
