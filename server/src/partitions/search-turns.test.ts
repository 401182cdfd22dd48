import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { Metrics } from '../metrics/metrics.ts';
import { SearchTurns } from './search-turns.ts';

test('one at a time, the applications in turn, each in its own order', async () => {
  const turns = new SearchTurns(new Metrics());
  const order: string[] = [];
  let running = 0;
  const search = (name: string) =>
    turns.take(name.charCodeAt(0), async () => {
      assert.equal(++running, 1);
      order.push(name);
      await later();
      running--;
      return name;
    });
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
  assert.deepEqual(await Promise.all(names.map(search)), names);
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('a search that fails fails alone', async () => {
  const turns = new SearchTurns(new Metrics());
  const bad = turns.take(1, () => Promise.reject(new Error('no')));
  const good = turns.take(1, () => Promise.resolve('yes'));
  await assert.rejects(bad, /no/);
  assert.equal(await good, 'yes');
});

test('the wait for a turn is measured', async () => {
  const metrics = new Metrics();
  const turns = new SearchTurns(metrics);
  await Promise.all([1, 2, 3].map((application) => turns.take(application, () => later())));
  assert.match(await metrics.text(), /search_duration_seconds_count\{phase="wait"\} 3\n/);
});
