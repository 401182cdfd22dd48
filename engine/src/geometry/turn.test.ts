import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cosines, sine } from './turn.ts';

test('cosines and sines of all 256 turns are right to the last digits', () => {
  for (let turn = 0; turn < 256; turn++) {
    const angle = (2 * Math.PI * turn) / 256;
    assert.ok(Math.abs(cosines[turn] - Math.cos(angle)) < 1e-14, `cosine of ${turn}`);
    assert.ok(Math.abs(sine(turn) - Math.sin(angle)) < 1e-14, `sine of ${turn}`);
  }
});

test('quarter turns are exact', () => {
  assert.deepEqual(
    [0, 64, 128, 192].map((turn) => cosines[turn] + 0),
    [1, 0, -1, 0],
  );
  assert.deepEqual(
    [0, 64, 128, 192].map((turn) => sine(turn) + 0),
    [0, 1, 0, -1],
  );
});
