import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, DirtyWorkspace } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/alignment.ts';
import type { Plane } from '../../test/oracles/plane.ts';
import { planes } from '../../test/planes.ts';
import { type Homography, project } from '../geometry/homography.ts';

const NUMBERS = 14;
const small = fc.integer({ min: -10, max: 10 });
const maps = fc
  .tuple(small, small, small, small, small, small)
  .map(([a, b, c, d, e, f]): Homography => [1 + a / 50, b / 50, c / 4, d / 50, 1 + e / 50, f / 4, a / 1e3, b / 1e3, 1]);

test('a levelled plane equals that of the plain twin', () => {
  fc.assert(
    fc.property(planes(1, 20), fc.integer({ min: 0, max: 7 }), (plane, radius) => {
      const space = new DirtyWorkspace();
      const bytes = 4 * ((plane.values.length + 3) & ~3);
      const [at, scratch] = [space.take(bytes), space.take(2 * bytes)];
      space.floats(at, plane.values.length).set(plane.values);
      space.kernels.level(at, plane.width, plane.height, radius, 6, scratch);
      space.assertUnharmed();
      assertNear(space.floats(at, plane.values.length), plain.level(plane, radius, 6), 1e-4);
    }),
  );
});

/** Finds the steep places of a plane, in records. */
function steepest({ width, height, values }: Plane, cell: number) {
  const space = new DirtyWorkspace();
  const records = space.take(8 * NUMBERS * (Math.ceil(width / cell) * Math.ceil(height / cell)));
  const count = space.kernels.steepest(space.put(values), width, height, cell, records);
  space.assertUnharmed();
  return { space, records, count };
}

test('steep places equal those of the plain twin', () => {
  fc.assert(
    fc.property(planes(1, 20), fc.integer({ min: 2, max: 5 }), (plane, cell) => {
      const { space, records, count } = steepest(plane, cell);
      const found = Array.from({ length: count }, (_, i) => {
        const numbers = [...space.doubles(records + 8 * NUMBERS * i, NUMBERS)];
        return { slopes: numbers.slice(0, 8), value: numbers[9], x: numbers[11], y: numbers[12] };
      });
      assert.deepEqual(found, plain.steepest(plane, cell));
    }),
  );
});

test('differences at the places are those to the other picture, with less weight the larger they are', () => {
  fc.assert(
    fc.property(planes(3, 15), planes(2, 15), maps, (plane, other, map) => {
      const { space, records, count } = steepest(plane, 2);
      const [there, numbers] = [space.put(other.values), space.put(Float64Array.from(map))];
      const { width, height } = other;
      const sizes = space.take(8 * count);
      const inside = space.kernels.weighByDistance(records, count, there, width, height, numbers, 2, 5, sizes);
      space.assertUnharmed();
      const wanted = plain.steepest(plane, 2).map(({ value, x, y }) => {
        const [u, v] = project(map, x, y);
        const isInside = u >= 1 && v >= 1 && u < other.width - 1 && v < other.height - 1;
        return isInside ? plain.sampled(other, u, v) - value : NaN;
      });
      const shown = wanted.filter((error) => !Number.isNaN(error)).map(Math.abs);
      assert.equal(inside, shown.length);
      const reach = 2 * Math.max(shown.sort((a, b) => a - b)[inside >> 1], 5);
      wanted.forEach((error, i) => {
        const [found, , weight] = space.doubles(records + 8 * (NUMBERS * i + 8), 3);
        assert.deepEqual(found, error);
        const off = error / reach;
        if (inside > 0) assert.equal(weight, Math.abs(off) < 1 ? (1 - off * off) ** 2 : 0);
      });
    }),
  );
});

test('what two planes have in common equals that of the plain twin', () => {
  fc.assert(
    fc.property(planes(1, 15), planes(1, 15), maps, (plane, other, map) => {
      const space = new DirtyWorkspace();
      const [one, two] = [space.put(plane.values), space.put(other.values)];
      const [numbers, out] = [space.put(Float64Array.from(map)), space.take(32)];
      const { width, height } = plane;
      space.kernels.likeness(one, width, height, two, other.width, other.height, numbers, out);
      space.assertUnharmed();
      assert.deepEqual([...space.doubles(out, 4)], plain.likeness(plane, other, map));
    }),
  );
});
