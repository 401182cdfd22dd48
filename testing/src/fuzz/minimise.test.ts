import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimise } from './minimise.ts';

test('what the fault does not need is left out or set to zero', async () => {
  const input = Uint8Array.from({ length: 300 }, (_, i) => (i * 7) & 255);
  const fails = async (bytes: Uint8Array) => bytes.length >= 20 && bytes.includes(77) && bytes.indexOf(91) > 3;
  const smallest = await minimise(input, fails, 5000);
  assert.equal(smallest.length, 20);
  assert.deepEqual([...smallest].filter((byte) => byte !== 0).sort(), [77, 91]);
});

test('an input that fails no more is given back, and attempts are bounded', async () => {
  const input = Uint8Array.from({ length: 100 });
  let attempts = 0;
  const never = async () => ++attempts < 0;
  assert.equal(await minimise(input, never, 30), input);
  assert.equal(attempts, 30);
});
