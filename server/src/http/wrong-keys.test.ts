import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from './limits.ts';
import { WrongKeys } from './wrong-keys.ts';

const few = { ...limits, wrongKeysAtOnce: 3, wrongKeysPerSecond: 2 };

test('an address may send a burst of wrong keys, then some per second', () => {
  const keys = new WrongKeys(few);
  const tries = (now: number) => [1, 2, 3, 4].map(() => keys.allow('a', now));
  assert.deepEqual(tries(0), [true, true, true, false]);
  assert.deepEqual(tries(1000), [true, true, false, false]);
  assert.deepEqual(tries(60_000), [true, true, true, false]);
});

test('half a second gives one more of two per second, and less gives none', () => {
  for (const [after, allowed] of [
    [499, false],
    [500, true],
  ] as const) {
    const keys = new WrongKeys(few);
    for (let i = 0; i < 3; i++) assert.ok(keys.allow('a', 0));
    assert.equal(keys.allow('a', after), allowed);
  }
});

test('of more than 10,000 addresses the one that was silent longest is forgotten', () => {
  const keys = new WrongKeys(few);
  const refused = (): boolean => !keys.allow('a', 0);
  for (let i = 0; i < 3; i++) assert.ok(!refused());
  for (let i = 1; i < 10_000; i++) keys.allow(String(i), 0);
  assert.ok(refused());
  for (let i = 1; i <= 10_000; i++) keys.allow(String(i), 0);
  assert.ok(!refused());
});

test('addresses have separate counts', () => {
  const keys = new WrongKeys(few);
  for (let i = 0; i < 10; i++) keys.allow('a', 0);
  assert.equal(keys.allow('b', 0), true);
  assert.equal(keys.allow('a', 0), false);
});
