import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { overlayTransform } from './overlay-transform.ts';

test('the transform maps every point as the homography does', () => {
  const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
  const matrix = fc.tuple(
    ...[number(3), number(3), number(500), number(3), number(3), number(500)],
    ...[number(0.0005), number(0.0005), fc.constant(1)],
  );
  fc.assert(
    fc.property(matrix, number(512), number(512), fc.double({ min: 0.1, max: 4, noNaN: true }), (h, x, y, scale) => {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, i = 0, k = 0] = h as number[];
      const w = g * x + i * y + k;
      fc.pre(Math.abs(w) > 0.1);
      const expected = [(scale * (a * x + b * y + c)) / w, (scale * (d * x + e * y + f)) / w];
      const seen = transformed(overlayTransform(h, scale), x, y);
      seen.forEach((value, axis) => assert.ok(Math.abs(value - expected[axis]!) < 1e-6 * (1 + Math.abs(value))));
    }),
  );
});

/** By CSS Transforms 2: the matrix by columns, then the perspective division, then the scale. */
function transformed(transform: string, x: number, y: number): [number, number] {
  const [, scale, list] = /^scale\((.+?)\) matrix3d\((.+)\)$/.exec(transform)!;
  const m = list!.split(',').map(Number);
  assert.equal(m.length, 16);
  const row = (i: number): number => m[i]! * x + m[4 + i]! * y + m[12 + i]!;
  return [(Number(scale) * row(0)) / row(3), (Number(scale) * row(1)) / row(3)];
}
