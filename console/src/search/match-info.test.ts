import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { layOn, matchInfoOf, verdictOf } from './match-info.ts';

const image = (told: object) => ({ id: 'a', keywords: [], score: 0, result_info: JSON.stringify(told) });
const homography = { source: 'reference', destination: 'query', coefficients: [2, 0, 5, 0, 2, 7, 0, 0, 1] };

test('boxes of two corners and of four points are the same to the page', () => {
  const byCorners = { topLeftPoint: [0.1, 0.2], bottomRightPoint: [0.5, 0.6] };
  const byPoints = {
    points: [
      [0.1, 0.2],
      [0.5, 0.2],
      [0.5, 0.6],
      [0.1, 0.6],
    ],
    area: 0.16,
  };
  const told = (matchingBox: object) => ({
    decision: 'Match',
    homography,
    query: { resizedDimensions: [512, 341], matchingBox },
    reference: { resizedDimensions: [300, 200], matchingBox },
  });
  const info = matchInfoOf(image(told(byCorners)));
  assert.deepEqual(info, matchInfoOf(image(told(byPoints))));
  assert.deepEqual(info.places?.query, { frame: [512, 341], box: byPoints.points });
  assert.deepEqual(info.places?.homography, homography.coefficients);
});

test('a picture without a result_info, and one with scores alone, have no places', () => {
  assert.deepEqual(matchInfoOf({ ...image({}), result_info: '' }), { decision: undefined, parts: [] });
  assert.deepEqual(matchInfoOf(image({ category: 'SIMILARITY', shapeScore: 0.5, colorScore: 0.25 })).parts, [
    { name: 'shape', score: 0.5 },
    { name: 'colour', score: 0.25 },
  ]);
});

test('rejections are told apart from what was found', () => {
  assert.deepEqual(verdictOf('Clone'), { word: 'Clone', accepted: true });
  assert.equal(verdictOf('Rejection due to shape of the matching box').word, 'Rejected: shape');
  assert.equal(verdictOf('Rejection due to geometric test').accepted, false);
});

test('the transform puts every point where the homography does', () => {
  const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
  const matrix = fc.tuple(
    ...[number(3), number(3), number(500), number(3), number(3), number(500)],
    ...[number(0.0005), number(0.0005), fc.constant(1)],
  );
  fc.assert(
    fc.property(matrix, number(512), number(512), fc.double({ min: 0.1, max: 4, noNaN: true }), (h, x, y, scale) => {
      const [a, b, c, d, e, f, g, i, k] = h as number[] as [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const w = g * x + i * y + k;
      fc.pre(Math.abs(w) > 0.1);
      const expected = [(scale * (a * x + b * y + c)) / w, (scale * (d * x + e * y + f)) / w];
      const seen = transformed(layOn(h as number[], scale), x, y);
      seen.forEach((value, axis) => assert.ok(Math.abs(value - expected[axis]!) < 1e-6 * (1 + Math.abs(value))));
    }),
  );
});

/** As CSS Transforms 2 has it: the matrix by columns, then the perspective division, then the scale. */
function transformed(transform: string, x: number, y: number): [number, number] {
  const [, scale, list] = /^scale\((.+?)\) matrix3d\((.+)\)$/.exec(transform)!;
  const m = list!.split(',').map(Number);
  assert.equal(m.length, 16);
  const row = (i: number): number => m[i]! * x + m[4 + i]! * y + m[12 + i]!;
  return [(Number(scale) * row(0)) / row(3), (Number(scale) * row(1)) / row(3)];
}
