import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cosines, sine } from './angle.ts';

test('cosines and sines of all 256 angles are right to the last digits', () => {
  for (let angle = 0; angle < 256; angle++) {
    const radians = (2 * Math.PI * angle) / 256;
    assert.ok(Math.abs(cosines[angle] - Math.cos(radians)) < 1e-14, `cosine of ${angle}`);
    assert.ok(Math.abs(sine(angle) - Math.sin(radians)) < 1e-14, `sine of ${angle}`);
  }
});

test('right angles are exact', () => {
  assert.deepEqual(
    [0, 64, 128, 192].map((angle) => cosines[angle] + 0),
    [1, 0, -1, 0],
  );
  assert.deepEqual(
    [0, 64, 128, 192].map((angle) => sine(angle) + 0),
    [0, 1, 0, -1],
  );
});
