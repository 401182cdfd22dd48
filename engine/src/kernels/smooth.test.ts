import { test } from 'node:test';
import fc from 'fast-check';
import { assertPlane, floatsOf } from '../../test/dirty-workspace.ts';
import { drawn, type Plane } from '../../test/oracles/plane.ts';
import * as plain from '../../test/oracles/smooth.ts';
import { mirrored, planes, rotated } from '../../test/planes.ts';

/** Two sums of five products of grey levels, each rounded to a float. */
const MAX_ERROR = 1e-4;

function smooth({ width, height, values }: Plane): Plane {
  const out = floatsOf(values.length, (workspace, out) => {
    workspace.kernels.smooth(workspace.put(values), width, height, out, workspace.take(4 * values.length));
  });
  return { width, height, values: out };
}

test('a spot spreads as 1 4 6 4 1 along both axes', () => {
  const weights = [1, 4, 6, 4, 1];
  const spot = drawn(7, 7, (x, y) => (x === 3 && y === 3 ? 256 : 0));
  const spread = drawn(7, 7, (x, y) => (weights[x - 1] ?? 0) * (weights[y - 1] ?? 0));
  assertPlane(smooth(spot).values, spread, 0);
});

test('what is all the same stays so, up to the border', () => {
  for (const [width, height] of [
    [1, 1],
    [1, 9],
    [9, 1],
    [2, 3],
    [5, 5],
    [13, 4],
  ]) {
    const constant = drawn(width, height, () => 200);
    assertPlane(smooth(constant).values, constant, MAX_ERROR);
  }
});

test('it does the same to a rotated or mirrored picture', () => {
  fc.assert(
    fc.property(planes(1, 12), (plane) => {
      assertPlane(smooth(rotated(plane)).values, rotated(smooth(plane)), MAX_ERROR);
      assertPlane(smooth(mirrored(plane)).values, mirrored(smooth(plane)), MAX_ERROR);
    }),
  );
});

test('it may write over its own source', () => {
  fc.assert(
    fc.property(planes(1, 12), ({ width, height, values }) => {
      const inPlace = floatsOf(values.length, (workspace, out) => {
        workspace.floats(out, values.length).set(values);
        workspace.kernels.smooth(out, width, height, out, workspace.take(4 * values.length));
      });
      assertPlane(inPlace, smooth({ width, height, values }), 0);
    }),
  );
});

test('it equals its plain twin, for any size', () => {
  fc.assert(fc.property(planes(1, 24), (plane) => assertPlane(smooth(plane).values, plain.smooth(plane), MAX_ERROR)));
});
