import assert from 'node:assert/strict';
import { test } from 'node:test';
import { falseMatchProbability } from './false-match-probability.ts';

test('at a measured place it is the share that was wrong, between two of them interpolated, and beyond the last one it stays', () => {
  assert.equal(falseMatchProbability(0), 0.35);
  assert.equal(falseMatchProbability(1.5), 0.0925);
  assert.equal(falseMatchProbability(8), 0.001);
  assert.equal(falseMatchProbability(Infinity), 0.001);
  assert.equal(falseMatchProbability(-40), 0.998);
});

test('it falls as the odds grow', () => {
  const all = Array.from({ length: 60 }, (_, i) => falseMatchProbability(-20 + i / 2));
  assert.deepEqual(
    all.toSorted((a, b) => b - a),
    all,
  );
});
