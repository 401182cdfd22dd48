import { test } from 'node:test';
import fc from 'fast-check';
import { assertPlane, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/extremes.ts';
import { drawn, type Plane } from '../../test/oracles/plane.ts';
import { planes } from '../../test/planes.ts';

const radius = fc.integer({ min: 0, max: 5 });
const sign = fc.constantFrom(1 as const, -1 as const);

function extremes({ width, height, values }: Plane, radius: number, sign: 1 | -1): Plane {
  const out = floatsOf(values.length, (workspace, out) => {
    const scratch = workspace.take(4 * values.length);
    workspace.kernels.extremes(workspace.put(values), width, height, radius, sign, out, scratch);
  });
  return { width, height, values: out };
}

test('a bright spot grows to its square, a dark one does so among the smallest', () => {
  const spot = drawn(11, 8, (x, y) => (x === 8 && y === 1 ? 90 : 20));
  const square = drawn(11, 8, (x, y) => (x >= 6 && y <= 3 ? 90 : 20));
  assertPlane(extremes(spot, 2, 1).values, square, 0);
  assertPlane(
    extremes(spot, 2, -1).values,
    drawn(11, 8, () => 20),
    0,
  );
});

test('it equals its plain twin, for any size', () => {
  fc.assert(
    fc.property(planes(1, 20), radius, sign, (plane, radius, sign) =>
      assertPlane(extremes(plane, radius, sign).values, plain.extremes(plane, radius, sign), 0),
    ),
  );
});

test('it may write over its own source', () => {
  fc.assert(
    fc.property(planes(1, 12), radius, sign, (plane, radius, sign) => {
      const { width, height, values } = plane;
      const inPlace = floatsOf(values.length, (workspace, out) => {
        workspace.floats(out, values.length).set(values);
        workspace.kernels.extremes(out, width, height, radius, sign, out, workspace.take(4 * values.length));
      });
      assertPlane(inPlace, extremes(plane, radius, sign), 0);
    }),
  );
});
