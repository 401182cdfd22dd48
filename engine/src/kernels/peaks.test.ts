import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/peaks.ts';
import { drawn, type Plane } from '../../test/oracles/plane.ts';
import { planes } from '../../test/planes.ts';

type Point = plain.Point;

const pointsIn = (floats: Float32Array): Point[] =>
  Array.from({ length: floats.length / 3 }, (_, i) => {
    const [x, y, response] = floats.subarray(3 * i);
    return { x, y, response };
  });

function peaks({ width, height, values }: Plane, margin: number, threshold: number, most: number): Point[] {
  let count = 0;
  const out = floatsOf(3 * most, (workspace, out) => {
    count = workspace.kernels.peaks(workspace.put(values), width, height, margin, threshold, out, most);
  });
  return pointsIn(out.subarray(0, 3 * count));
}

function assertPoints(actual: readonly Point[], expected: readonly Point[]): void {
  const flat = (points: readonly Point[]): number[] => points.flatMap(({ x, y, response }) => [x, y, response]);
  assertNear(flat(actual), flat(expected), 1e-5, 'coordinate');
}

test('a peak between two pixels is found between them', () => {
  const plane = drawn(9, 9, (x, y) => 100 - (x - 4.25) * (x - 4.25) - (y - 3.6) * (y - 3.6));
  assertPoints(peaks(plane, 1, 0, 10), [{ x: 4.75, y: 4.1, response: plane.values[4 * 9 + 4] }]);
});

test('a plateau has one peak, at its first pixel in reading order and half a pixel inwards', () => {
  const plane = drawn(12, 9, (x, y) => (x >= 3 && x < 9 && y >= 3 && y < 6 ? 7 : 0));
  assert.deepEqual(peaks(plane, 1, 0, 10), [{ x: 4, y: 4, response: 7 }]);
});

test('nothing is found in a flat plane, below the threshold or within the margin', () => {
  assert.equal(
    peaks(
      drawn(11, 11, () => 9),
      1,
      0,
      10,
    ).length,
    0,
  );
  for (const column of [3, 7]) {
    const spot = drawn(11, 11, (x, y) => (x === column && y === 5 ? 9 : 0));
    assert.equal(peaks(spot, 3, 8.9, 10).length, 1);
    assert.equal(peaks(spot, 3, 9, 10).length, 0);
    assert.equal(peaks(spot, 4, 8.9, 10).length, 0);
  }
});

test('a plane smaller than its margins has no peaks', () => {
  for (const [width, height] of [
    [1, 1],
    [10, 3],
    [3, 30],
    [10, 10],
  ]) {
    assert.equal(
      peaks(
        drawn(width, height, (x, y) => (x * 7 + y * 5) % 11),
        5,
        0,
        10,
      ).length,
      0,
    );
  }
});

test('it equals its plain twin, ties, full lists and all', () => {
  const few = planes(1, 30).map(({ values, ...size }) => ({ ...size, values: values.map((v) => v % 8) }));
  fc.assert(
    fc.property(
      fc.oneof(planes(1, 30), few),
      fc.integer({ min: 1, max: 5 }),
      fc.nat(6),
      fc.nat(40),
      (plane, margin, threshold, most) => {
        assertPoints(peaks(plane, margin, threshold, most), plain.peaks(plane, margin, threshold, most));
      },
    ),
  );
});
