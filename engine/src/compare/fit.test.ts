import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { agreeing, type Observations, fitted } from './fit.ts';

const CAUCHY_SCALES = [30, 15, 8, 8, 8];
const count = 400;
const one = new Float32Array(count).fill(1);
const slope = Float32Array.from({ length: count }, (_, i) => i / count);
const evidence = (values: Float32Array, weights = one): Observations => ({ values, terms: [one, slope], weights });

test('a planted line is found, a fifth of the samples saying something else', () => {
  fc.assert(
    fc.property(fc.integer({ min: -15, max: 15 }), fc.integer({ min: -20, max: 20 }), (offset, rise) => {
      const values = slope.map((x, i) => (i % 5 === 0 ? 200 : offset + rise * x));
      const found = fitted(evidence(values), [0, 0], [0, 0], CAUCHY_SCALES);
      assert.ok(Math.abs(found[0] - offset) < 0.5 && Math.abs(found[1] - rise) < 0.5, `${found}`);
      assert.ok(Math.abs(agreeing(evidence(values), found, 2) - 0.8) < 1e-6);
    }),
  );
});

test('what the samples do not determine stays as expected', () => {
  const flat = { values: one.map(() => 12), terms: [one, new Float32Array(count)], weights: one };
  const [offset, rise] = fitted(flat, [0, 5], [0, 1e-3], CAUCHY_SCALES);
  assert.ok(Math.abs(offset - 12) < 1e-6);
  assert.equal(rise, 5);
});

test('samples of no weight count for nothing', () => {
  const half = one.map((_, i) => i % 2);
  const values = slope.map((x, i) => (i % 2 === 0 ? -40 : 7 + x));
  const found = fitted(evidence(values, half), [0, 0], [0, 0], [Infinity]);
  assert.ok(Math.abs(found[0] - 7) < 1e-3 && Math.abs(found[1] - 1) < 1e-3, `${found}`);
});
