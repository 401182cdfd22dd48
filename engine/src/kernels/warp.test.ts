import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, DirtyWorkspace } from '../../test/dirty-workspace.ts';
import { drawn, type Plane } from '../../test/oracles/plane.ts';
import * as plain from '../../test/oracles/warp.ts';
import { planes, sizes } from '../../test/planes.ts';
import { type Homography, project } from '../geometry/homography.ts';

interface Laid {
  readonly planes: Float32Array[];
  readonly inside: Uint8Array;
  readonly covered: number;
}

/** Lays a plane, its double and its negative. */
function warp({ width, height, values }: Plane, map: Homography, grid: { width: number; height: number }): Laid {
  const space = new DirtyWorkspace();
  const pixels = grid.width * grid.height;
  const three = Float32Array.from([1, 2, -1].flatMap((factor) => Array.from(values, (value) => factor * value)));
  const [from, numbers] = [space.put(three), space.put(new Uint8Array(Float64Array.from(map).buffer))];
  const [out, inside] = [space.take(12 * pixels), space.take(pixels)];
  const covered = space.kernels.warp(from, width, height, numbers, grid.width, grid.height, out, inside);
  space.assertUnharmed();
  const plane = (c: number): Float32Array => space.floats(out + 4 * pixels * c, pixels).slice();
  return { planes: [0, 1, 2].map(plane), inside: space.bytes(inside, pixels).slice(), covered };
}

const ramp = drawn(6, 5, (x, y) => 10 * x + 100 * y);

test('the same place gives the same picture, a shift by half a pixel the mean of two', () => {
  assert.deepEqual(warp(ramp, [1, 0, 0, 0, 1, 0, 0, 0, 1], ramp).planes[0], ramp.values);
  const half = warp(ramp, [1, 0, 0.5, 0, 1, 0, 0, 0, 1], { width: 4, height: 5 }).planes[0];
  assertNear(half, drawn(4, 5, (x, y) => 10 * x + 5 + 100 * y).values, 1e-4);
});

test('where the picture does not reach, and behind the camera, there is nothing', () => {
  const { planes, inside, covered } = warp(ramp, [1, 0, -2, 0, 1, 0, 0, 0, 1], { width: 9, height: 1 });
  assert.deepEqual([...inside], [0, 0, 1, 1, 1, 1, 1, 1, 0]);
  assert.equal(covered, 6);
  assert.deepEqual([...planes[0]], [0, 0, 0, 10, 20, 30, 40, 50, 0]);
  const rotatedAway = warp(ramp, [-1, 0, 0, 0, -1, 0, 0, 0, -1], ramp);
  assert.equal(rotatedAway.covered, 0);
});

test('it equals its plain twin, in all three planes', () => {
  const near = fc.integer({ min: -100, max: 100 }).map((value) => value / 100);
  const map = fc
    .tuple(near, near, near, near, near, near, near, near)
    .map(([a, b, c, d, e, f, g, h]): Homography => [1 + a, b, 5 * c, d, 1 + e, 5 * f, g / 20, h / 20, 1]);
  fc.assert(
    fc.property(planes(1, 12), map, sizes(1, 10), (plane, map, grid) => {
      const laid = warp(plane, map, grid);
      for (let i = 0; i < grid.width * grid.height; i++) {
        const expected = plain.warp(plane, map, i % grid.width, Math.floor(i / grid.width));
        if ((expected !== undefined) !== (laid.inside[i] === 1)) {
          assert.ok(onBorder(plane, map, i % grid.width, Math.floor(i / grid.width)));
          continue;
        }
        const values = laid.planes.map((each) => each[i]);
        assertNear(
          values,
          [1, 2, -1].map((factor) => factor * (expected ?? 0)),
          2e-2,
        );
      }
    }),
  );
});

/** Within what two ways of calculating differ by. */
function onBorder({ width, height }: Plane, map: Homography, column: number, row: number): boolean {
  const [u, v] = project(map, column + 0.5, row + 0.5);
  return [u, v, width - u, height - v].some((gap) => Math.abs(gap) < 1e-9);
}
