import assert from 'node:assert/strict';
import { test } from 'node:test';
import { falseMatchProbability } from './false-match-probability.ts';

test('the same picture is never wrong, and little evidence of a match mostly is', () => {
  assert.equal(falseMatchProbability(Infinity, 'Clone'), 0);
  assert.equal(falseMatchProbability(27, 'Match'), 0.006);
  assert.equal(falseMatchProbability(12, 'Match'), 0.085);
  assert.equal(falseMatchProbability(2, 'Match'), 0.9);
});

test('between two measured shares it is interpolated, and beyond the last one it stays', () => {
  assert.equal(falseMatchProbability(10, 'Match'), 0.1435);
  assert.equal(falseMatchProbability(0.1, 'Similar'), 0.99);
  assert.equal(falseMatchProbability(1000, 'Similar'), 0.17);
});

test('it falls with the evidence, and with equal evidence Similar is the less sure', () => {
  const evidences = Array.from({ length: 60 }, (_, i) => 2 + i);
  for (const decision of ['Match', 'Similar'] as const) {
    const all = evidences.map((evidence) => falseMatchProbability(evidence, decision));
    assert.deepEqual(
      all.toSorted((a, b) => b - a),
      all,
    );
  }
  for (const evidence of evidences.filter((evidence) => evidence >= 3))
    assert.ok(falseMatchProbability(evidence, 'Similar') > falseMatchProbability(evidence, 'Match'));
});
