import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { QUESTIONS } from '@sosia/engine';
import { Metrics } from '../metrics/metrics.ts';
import { KeyedSemaphore } from './keyed-semaphore.ts';

test('as many of one application at a time as questions are kept, in order; another application does not wait', async () => {
  const turns = new KeyedSemaphore(new Metrics());
  const begun: string[] = [];
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const search = (name: string) =>
    turns.take(name.charCodeAt(0), async () => {
      const of = name[0]!;
      running.set(of, 1 + (running.get(of) ?? 0));
      most.set(of, Math.max(most.get(of) ?? 0, running.get(of)!));
      begun.push(name);
      await later();
      running.set(of, running.get(of)! - 1);
      return name;
    });
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'];
  assert.deepEqual(await Promise.all(names.map(search)), names);
  assert.deepEqual(begun.slice(0, QUESTIONS + 2), ['a1', 'a2', 'b1', 'c1']);
  assert.deepEqual(
    begun.filter((name) => name.startsWith('a')),
    ['a1', 'a2', 'a3', 'a4'],
  );
  assert.deepEqual([...most.values()], [QUESTIONS, 1, 1]);
});

test('a search that fails fails alone', async () => {
  const turns = new KeyedSemaphore(new Metrics());
  const bad = Array.from({ length: QUESTIONS }, () => turns.take(1, () => Promise.reject(new Error('no'))));
  const good = turns.take(1, () => Promise.resolve('yes'));
  for (const one of bad) await assert.rejects(one, /no/);
  assert.equal(await good, 'yes');
});

test('the wait for a turn is measured', async () => {
  const metrics = new Metrics();
  const turns = new KeyedSemaphore(metrics);
  await Promise.all([1, 2, 3].map((application) => turns.take(application, () => later())));
  assert.match(await metrics.text(), /search_duration_seconds_count\{phase="wait"\} 3\n/);
});
