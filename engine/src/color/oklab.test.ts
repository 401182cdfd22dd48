import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distance, oklab } from './oklab.ts';

const byte = fc.nat(255);
const lab = fc.tuple(byte, byte, byte).map(([r, g, b]) => oklab(r, g, b));

function near(actual: readonly number[], expected: readonly number[], reach: number): void {
  actual.forEach((value, k) => assert.ok(Math.abs(value - expected[k]) < reach, `${actual}, expected ${expected}`));
}

test('black, white and the corners of sRGB lie where the paper has them', () => {
  near(oklab(0, 0, 0), [0, 0, 0], 1e-9);
  near(oklab(255, 255, 255), [1, 0, 0], 1e-6);
  near(oklab(255, 0, 0), [0.627955, 0.224863, 0.125846], 1e-5);
  near(oklab(0, 255, 0), [0.86644, -0.233888, 0.179498], 1e-5);
  near(oklab(0, 0, 255), [0.452014, -0.032457, -0.311528], 1e-5);
});

test('greys have no tint, and grow lighter with their byte', () => {
  let before = -1;
  for (let value = 0; value < 256; value++) {
    const [L, a, b] = oklab(value, value, value);
    near([a, b], [0, 0], 1e-6);
    assert.ok(L > before, `${value}`);
    before = L;
  }
});

test('a distance is 0 for the same colour alone, the same both ways, and never more than by a detour', () => {
  fc.assert(
    fc.property(lab, lab, lab, (p, q, r) => {
      assert.equal(distance(p, p), 0);
      assert.equal(distance(p, q), distance(q, p));
      assert.ok(distance(p, r) <= distance(p, q) + distance(q, r) + 1e-12);
      if (String(p) !== String(q)) assert.ok(distance(p, q) > 0);
    }),
  );
});
