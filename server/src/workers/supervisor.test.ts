import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseAfter } from './supervisor.ts';

test('the pauses before a child is started again double from a tenth of a second up to five seconds', () => {
  const pauses = [0];
  for (let i = 0; i < 8; i++) pauses.push(pauseAfter(pauses.at(-1)!));
  assert.deepEqual(pauses, [0, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
});
