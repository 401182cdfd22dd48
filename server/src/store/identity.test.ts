import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generationAfter, sameGeneration } from './identity.ts';

test('two copies of a folder begin generations of one number that differ', () => {
  const [one, other] = [generationAfter(3), generationAfter(3)];
  assert.deepEqual([one.count, other.count], [4, 4]);
  assert.ok(!sameGeneration(one, other));
  assert.ok(sameGeneration(one, { ...one }));
  assert.ok(!sameGeneration({ ...one, count: 5 }, one));
});
