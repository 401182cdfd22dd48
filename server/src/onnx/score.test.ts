import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkSpecOf } from '@sosia/engine';
import fc from 'fast-check';
import { AnswerError, scoreOf } from './score.ts';

const labels = ['a', 'b', 'c'];
const read = (answer: readonly number[], spec: object = {}) =>
  scoreOf(Float32Array.from(answer), networkSpecOf({ labels, positive: ['b'], ...spec }));

test('a probability becomes 2p - 1, those of several labels add up', () => {
  assert.equal(read([0.25, 0.75, 0]), 0.5);
  assert.equal(read([0.25, 0.5, 0.25]), 0);
  assert.equal(read([1, 0, 0]), -1);
  assert.equal(read([0.25, 0.5, 0.25], { positive: ['b', 'c'] }), 0.5);
});

test('the threshold is where the score is 0, and the score rises with the probability', () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(p, p, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (one, other, threshold) => {
      const score = (each: number) => read([each, 0, 0], { positive: ['a'], threshold });
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      assert.ok(score(low) <= score(high) && score(low) >= -1 && score(high) <= 1);
      if (one > threshold + 1e-6) assert.ok(score(one) >= 0);
      if (one < threshold - 1e-6) assert.ok(score(one) <= 0);
    }),
  );
  assert.equal(read([0.2, 0.8, 0], { threshold: 0.75 }), 0.2);
  assert.equal(read([0.4, 0.6, 0], { threshold: 0.75 }), -0.2);
});

test('logits become probabilities, however large', () => {
  const logits = { output: 'logits' };
  assert.equal(read([0, Math.log(6), Math.log(2)], logits), Math.round(1e6 * (2 * (6 / 9) - 1)) / 1e6);
  assert.equal(read([-5000, 5000, 0], logits), 1);
  const single = { labels: ['x'], positive: ['x'], output: 'logits' };
  assert.equal(read([Math.log(3)], single), 0.5);
  assert.equal(read([-5000], single), -1);
});

test('what is no probability is refused', () => {
  const refused = (answer: readonly number[], words: RegExp, spec: object = {}) =>
    assert.throws(
      () => read(answer, spec),
      (cause) => cause instanceof AnswerError && words.test(cause.message),
    );
  refused([0.5, 0.5], /expected 3 numbers, one a label, got 2/);
  refused([0, NaN, 1], /expected finite numbers, got NaN/);
  refused([0, Infinity, 1], /got Infinity/, { output: 'logits' });
  refused([3, -1, 2], /expected probabilities, got 3; these may be logits/);
  refused([0.9, 0.8, 0.1], /add up to 1.*got 1\.800/, { positive: ['a', 'b'] });
  assert.equal(read([0.9, 0.75, 0.1]), 0.5); // labels that do not exclude each other
});
