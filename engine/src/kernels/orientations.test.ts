import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/orientations.ts';
import { drawn, type Plane } from '../../test/oracles/plane.ts';
import { mirrored, planes, rotated } from '../../test/planes.ts';

const DISC_RADIUS_PIXELS = 8;
const SECOND_PEAK_SHARE = 0.85;

type Point = readonly [x: number, y: number];

/** For each place its directions as shares of a circle. */
function orientations(
  { width, height, values }: Plane,
  places: readonly Point[],
  radius = DISC_RADIUS_PIXELS,
  second = SECOND_PEAK_SHARE,
  most = 2 * places.length,
): number[][] {
  const n = places.length;
  let count = 0;
  const out = floatsOf(8 * n, (workspace, out) => {
    const points = workspace.put(Float32Array.from(places.flatMap(([x, y]) => [x, y, 1])));
    count = workspace.kernels.orientations(workspace.put(values), width, height, points, n, most, radius, out, second);
  });
  const written = Array.from({ length: count }, (_, i) => [...out.subarray(4 * i, 4 * i + 4)]);
  for (const [x, y, angle, index] of written) {
    assert.deepEqual([x, y], places[index].map(Math.fround));
    assert.ok(angle >= 0 && angle < 1, `angle ${angle}`);
  }
  return places.map((_, i) => written.filter(([, , , index]) => index === i).map(([, , angle]) => angle));
}

const middle: Point = [16, 16];
const directionsOf = (value: (x: number, y: number) => number): number[] =>
  orientations(drawn(32, 32, value), [middle])[0];

test('a brighter right side points along +x, a brighter bottom along +y', () => {
  const cases: [(x: number, y: number) => number, number][] = [
    [(x) => 4 * x, 0],
    [(x, y) => 3 * x + 3 * y, 0.125],
    [(_, y) => 4 * y, 0.25],
    [(x) => 200 - 4 * x, 0.5],
    [(_, y) => 200 - 4 * y, 0.75],
  ];
  for (const [value, expected] of cases) assertAngles(directionsOf(value), [expected]);
});

test('a flat patch points nowhere: one direction, 0', () => {
  assert.deepEqual(
    directionsOf(() => 77),
    [0],
  );
});

test('a patch with two edges nearly as strong points both ways, the stronger first', () => {
  const wedge = (a: number, b: number): number[] => directionsOf((x, y) => (x < 16 ? 0 : a) + (y < 16 ? 0 : b));
  assertAngles(wedge(100, 95), [0, 0.25], 0.01);
  assertAngles(wedge(95, 100), [0.25, 0], 0.01);
  assertAngles(wedge(100, 60), [0], 0.01);
});

test('what lies beyond the disc does not pull', () => {
  const disc =
    (value: number) =>
    (x: number, y: number): number => {
      const far = (x + 0.5 - middle[0]) * (x + 0.5 - middle[0]) + (y + 0.5 - middle[1]) * (y + 0.5 - middle[1]);
      return far < (DISC_RADIUS_PIXELS + 3) * (DISC_RADIUS_PIXELS + 3) ? 4 * x : value;
    };
  assert.deepEqual(directionsOf(disc(0)), directionsOf(disc(255)));
});

/** Planes and a place in each, on and between pixels, close to the border as well. */
const placed = planes(3, 24).chain((plane) => {
  const within = (side: number): fc.Arbitrary<number> => fc.integer({ min: 4, max: 8 * side - 4 }).map((v) => v / 8);
  return fc.tuple(fc.constant(plane), within(plane.width), within(plane.height));
});

test('a picture rotated by a right angle has its directions rotated as well', () => {
  fc.assert(
    fc.property(placed, ([plane, x, y]) => {
      fc.pre(clear(plane, x, y));
      const [before] = orientations(plane, [[x, y]]);
      const [after] = orientations(rotated(plane), [[plane.height - y, x]]);
      assertAngles(
        after,
        before.map((angle) => angle + 0.25),
      );
    }),
  );
});

test('the mirror image points the mirrored way', () => {
  fc.assert(
    fc.property(placed, ([plane, x, y]) => {
      fc.pre(clear(plane, x, y));
      const [before] = orientations(plane, [[x, y]]);
      const [after] = orientations(mirrored(plane), [[plane.width - x, y]]);
      assertAngles(
        after,
        before.map((angle) => 0.5 - angle),
      );
    }),
  );
});

test('less contrast and more light leave the directions alone', () => {
  fc.assert(
    fc.property(placed, ([plane, x, y]) => {
      fc.pre(clear(plane, x, y));
      const dim = { ...plane, values: plane.values.map((v) => 100 + v / 2) };
      assert.deepEqual(orientations(dim, [[x, y]]), orientations(plane, [[x, y]]));
    }),
  );
});

test('it equals its plain twin, for several points at once', () => {
  fc.assert(
    fc.property(placed, fc.integer({ min: 2, max: 9 }), ([plane, x, y], radius) => {
      const places = [
        [x, y],
        [plane.width / 2, plane.height / 2],
        [1, 1],
      ] as const;
      const found = orientations(plane, places, radius);
      places.forEach(([px, py], i) => {
        // two directions equally strong may be in either order, and one just below a whole circle may be 0: floats round, the twin does not
        const rising = (angles: readonly number[]): number[] =>
          angles.map((angle) => (angle > 1 - 1e-3 ? angle - 1 : angle)).sort((a, b) => a - b);
        const expected = plain.orientations(plane, px, py, radius, SECOND_PEAK_SHARE);
        if (clear(plane, px, py, radius)) assertAngles(rising(found[i]), rising(expected));
      });
    }),
    { numRuns: 300 },
  );
});

/** A whole circle is none. */
function assertAngles(actual: readonly number[], expected: readonly number[], bound = 1e-3): void {
  const off = (angle: number, i: number): number => Math.abs(((angle - expected[i] + 2.5) % 1) - 0.5);
  const near = actual.length === expected.length && actual.every((angle, i) => off(angle, i) < bound);
  assert.ok(near, `angles ${actual.join(', ')}, expected ${expected.join(', ')}`);
}

/** Whether the directions stay as they are when the picture or the threshold changes by a hair. */
function clear(plane: Plane, x: number, y: number, radius = DISC_RADIUS_PIXELS): boolean {
  const of = (plane: Plane, second: number): number[] => plain.orientations(plane, x, y, radius, second);
  // two directions that are equally strong are in another order under one of the two
  const shaken = [1e-4, -1e-4].map((by) =>
    drawn(plane.width, plane.height, (x, y) => plane.values[y * plane.width + x] + ((3 * x + 7 * y) % 5) * by),
  );
  const low = of(plane, SECOND_PEAK_SHARE - 1e-3);
  return [of(plane, SECOND_PEAK_SHARE + 1e-3), ...shaken.map((other) => of(other, SECOND_PEAK_SHARE))].every(
    (angles) => angles.length === low.length && angles.every((angle, i) => Math.abs(angle - low[i]) < 1e-4),
  );
}

test('points are left out once enough directions were found', () => {
  const slope = drawn(32, 32, (x) => 4 * x);
  const found = orientations(slope, [middle, middle, middle], DISC_RADIUS_PIXELS, SECOND_PEAK_SHARE, 2);
  assert.deepEqual(
    found.map(({ length }) => length),
    [1, 1, 0],
  );
});
