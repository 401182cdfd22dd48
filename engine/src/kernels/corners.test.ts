import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertPlane, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/corners.ts';
import { drawn, type Plane } from '../../test/oracles/plane.ts';
import { mirrored, planes, rotated } from '../../test/planes.ts';

/** Squares of up to 255 are added and rooted as floats: a millionth of their sum. */
const MAX_ERROR = 0.15;

function corners({ width, height, values }: Plane): Plane {
  const out = floatsOf(values.length, (workspace, out) => {
    workspace.kernels.corners(workspace.put(values), width, height, out, workspace.take(4 * (30 * (width + 8) + 3)));
  });
  return { width, height, values: out };
}

test('a flat picture and a straight edge, upright or slanted, have no corners', () => {
  const size = [17, 14] as const;
  assertPlane(
    corners(drawn(...size, () => 90)).values,
    drawn(...size, () => 0),
    0,
  );
  assertPlane(
    corners(drawn(...size, (x) => (x > 8 ? 200 : 50))).values,
    drawn(...size, () => 0),
    MAX_ERROR,
  );
  const ramp = corners(drawn(...size, (x, y) => 5 * x + 3 * y));
  assertPlane(
    inner(ramp),
    drawn(size[0] - 6, size[1] - 6, () => 0),
    MAX_ERROR,
  );
});

test('a chequered crossing answers most in its middle', () => {
  const plane = corners(drawn(15, 15, (x, y) => (x > 7 === y > 7 ? 200 : 50)));
  const strongest = plane.values.indexOf(Math.max(...plane.values));
  assert.deepEqual(
    [strongest % 15, Math.floor(strongest / 15)].map((v) => v === 7 || v === 8),
    [true, true],
  );
});

test('light does not count, and twice the contrast answers four times', () => {
  const faint = planes(1, 20).map(({ values, ...size }) => ({ ...size, values: values.map((v) => v % 100) }));
  fc.assert(
    fc.property(faint, ({ values, ...size }) => {
      const once = corners({ ...size, values });
      const lit = corners({ ...size, values: values.map((v) => v + 50) });
      const twice = corners({ ...size, values: values.map((v) => 2 * v) });
      assertPlane(lit.values, once, 0);
      assertPlane(twice.values, { ...once, values: once.values.map((v) => 4 * v) }, 0);
    }),
  );
});

test('it does the same to a rotated or mirrored picture', () => {
  fc.assert(
    fc.property(planes(1, 16), (plane) => {
      assertPlane(corners(rotated(plane)).values, rotated(corners(plane)), MAX_ERROR);
      assertPlane(corners(mirrored(plane)).values, mirrored(corners(plane)), MAX_ERROR);
    }),
  );
});

test('it equals its plain twin, for any size', () => {
  fc.assert(fc.property(planes(1, 24), (plane) => assertPlane(corners(plane).values, plain.corners(plane), MAX_ERROR)));
});

/** Without three pixels all around, where what lies beyond the border counts. */
function inner({ width, height, values }: Plane): Float32Array {
  return values.filter((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return x >= 3 && y >= 3 && x < width - 3 && y < height - 3;
  });
}
