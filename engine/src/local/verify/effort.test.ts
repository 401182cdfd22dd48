import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Effort } from './effort.ts';

test('effort counts what was spent and what is left; the last piece of work may take more', () => {
  const effort = new Effort(10);
  effort.spend(7);
  assert.deepEqual([effort.spent, effort.left], [7, 3]);
  effort.spend(7);
  assert.deepEqual([effort.spent, effort.left], [14, 0]);
});
