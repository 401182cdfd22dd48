import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { Failure } from '../errors.ts';
import { KeyedSemaphore } from './keyed-semaphore.ts';

test('at most the limit runs of one key, in order; another key does not wait', async () => {
  const semaphore = new KeyedSemaphore<string>(2, 60_000);
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

test('work that fails frees its slot', async () => {
  const semaphore = new KeyedSemaphore<number>(2, 60_000);
  const bad = [1, 2].map(() => semaphore.run(1, () => Promise.reject(new Error('no'))));
  const good = semaphore.run(1, () => Promise.resolve('yes'));
  for (const each of bad) await assert.rejects(each, /no/);
  assert.equal(await good, 'yes');
});

test('work that waits too long is refused and never starts; the work behind it has its slot', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const semaphore = new KeyedSemaphore<number>(1, 1000);
  let resolve = () => {};
  const end = new Promise<void>((ended) => (resolve = ended));
  const running = semaphore.run(1, () => end);
  const late = semaphore.run(1, () => Promise.reject(new Error('this must not start')));
  const refused = assert.rejects(late, (cause) => cause instanceof Failure && /within 1000 ms/.test(cause.message));
  context.mock.timers.tick(999);
  const behind = semaphore.run(1, () => Promise.resolve('done'));
  context.mock.timers.tick(1);
  await refused;
  resolve();
  await running;
  assert.equal(await behind, 'done');
});

test('work that arrives while other work of its key still runs is counted with it', async () => {
  const semaphore = new KeyedSemaphore<number>(3, 60_000);
  const ends: (() => void)[] = [];
  const work = () => semaphore.run(1, () => new Promise<void>((end) => ends.push(end)));
  const all = [work(), work(), work()];
  for (const left of [2, 1]) {
    ends.shift()!();
    await all.shift();
    assert.equal(ends.length, left);
  }
  all.push(work(), work(), work(), work());
  await later();
  assert.equal(ends.length, 3);
  while (ends.length > 0) {
    ends.shift()!();
    await later();
  }
  await Promise.all(all);
});
