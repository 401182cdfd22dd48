import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vectorOf } from './vector.ts';

test('a vector becomes signed bytes whose largest is 127, whatever its length', () => {
  const expected = Int8Array.of(64, -127, 0, 32);
  for (const scale of [1, 1e-20, 1e20])
    assert.deepEqual(vectorOf(Float32Array.of(0.5 * scale, -scale, 0, 0.25 * scale), [1, 4]), expected);
});

test('of several vectors the first counts, and sides of 1 do not', () => {
  const answer = Float32Array.of(1, 0, 0, 1, 1, 1);
  assert.deepEqual(vectorOf(answer, [1, 3, 2]), Int8Array.of(127, 0));
  assert.deepEqual(vectorOf(answer, [1, 6, 1, 1]), Int8Array.of(127, 0, 0, 127, 127, 127));
  assert.deepEqual(vectorOf(answer, [6]), Int8Array.of(127, 0, 0, 127, 127, 127));
});

test('an answer that is no vector is refused', () => {
  assert.throws(
    () => vectorOf(new Float32Array(8), [2, 2, 2]),
    /expected a vector of 2 to 4096 numbers, got .*2, 2, 2/,
  );
  assert.throws(() => vectorOf(new Float32Array(1), [1, 1]), /got an output of \[1, 1\]/);
  assert.throws(() => vectorOf(new Float32Array(5000), [1, 5000]), /got an output of \[1, 5000\]/);
  assert.throws(() => vectorOf(new Float32Array(4), [4]), /with a direction/);
  assert.throws(() => vectorOf(Float32Array.of(1, NaN), [2]), /with a direction/);
  assert.throws(() => vectorOf(Float32Array.of(1, Infinity), [2]), /with a direction/);
});
