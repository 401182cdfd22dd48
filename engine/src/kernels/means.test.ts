import { test } from 'node:test';
import fc from 'fast-check';
import { assertPlane, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/means.ts';
import { drawn, type Plane } from '../../test/oracles/plane.ts';
import { planes } from '../../test/planes.ts';

/** Sums of up to 225 grey levels, rounded to floats, over their number. */
const MAX_ERROR = 1e-4;

function means({ width, height, values }: Plane, radius: number): Plane {
  const out = floatsOf(values.length, (workspace, out) => {
    const scratch = workspace.take(4 * values.length);
    workspace.kernels.means(workspace.put(values), width, height, radius, out, scratch);
  });
  return { width, height, values: out };
}

test('a spot is spread over its square, and the squares at the border are smaller', () => {
  const spot = drawn(9, 9, (x, y) => (x === 1 && y === 4 ? 60 : 0));
  const spread = drawn(9, 9, (x, y) => (x <= 2 && Math.abs(y - 4) <= 1 ? 60 / (x === 0 ? 6 : 9) : 0));
  assertPlane(means(spot, 1).values, spread, MAX_ERROR);
});

test('it equals its plain twin, for any size, also where the square is larger than the plane', () => {
  fc.assert(
    fc.property(planes(1, 24), fc.integer({ min: 0, max: 8 }), (plane, radius) =>
      assertPlane(means(plane, radius).values, plain.means(plane, radius), MAX_ERROR),
    ),
  );
});

test('it may write over its own source', () => {
  fc.assert(
    fc.property(planes(1, 12), fc.integer({ min: 0, max: 3 }), (plane, radius) => {
      const { width, height, values } = plane;
      const inPlace = floatsOf(values.length, (workspace, out) => {
        workspace.floats(out, values.length).set(values);
        workspace.kernels.means(out, width, height, radius, out, workspace.take(4 * values.length));
      });
      assertPlane(inPlace, means(plane, radius), 0);
    }),
  );
});
