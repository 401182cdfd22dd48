import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, DirtyWorkspace } from '../../test/dirty-workspace.ts';
import type { Plane } from '../../test/oracles/plane.ts';
import { leftIn } from '../../test/oracles/residue.ts';
import { planes } from '../../test/planes.ts';

/** What is left in each square, and its contrast. @param compared  whether the planes are */
function residue({ width, height, values }: Plane, other: Plane, radius: number, compared: boolean): number[][] {
  const space = new DirtyWorkspace();
  const padded = (values.length + 3) & ~3;
  const [one, two, three] = [values, other.values, values.map(() => Number(compared))].map((plane) => {
    const at = space.take(4 * padded);
    space.floats(at, plane.length).set(plane);
    return at;
  });
  const out = space.take(16 * Math.ceil(width / radius) * Math.ceil(height / radius));
  const scratch = space.take(112 * (2 * radius + 1) ** 2 + 400);
  const count = space.kernels.residue(one, two, three, width, height, radius, 40, 4, out, scratch);
  space.assertUnharmed();
  return Array.from({ length: count }, (_, k) => [...space.doubles(out + 16 * k, 2)]);
}

const pairs = planes(3, 24).chain((one) => {
  const { length } = one.values;
  return fc
    .array(fc.integer({ min: -30, max: 30 }), { minLength: length, maxLength: length })
    .map((off) => [one, { ...one, values: one.values.map((value, i) => value + off[i]) }] as const);
});

test('what is left in squares equals that of the plain twin', () => {
  fc.assert(
    fc.property(pairs, fc.integer({ min: 2, max: 4 }), ([one, other], radius) => {
      const wanted: number[][] = [];
      for (let y = radius + 1; y < one.height - radius - 1; y += radius)
        for (let x = radius + 1; x < one.width - radius - 1; x += radius)
          wanted.push(leftIn(one, other, x, y, radius, 40, 4));
      assertNear(residue(one, other, radius, true).flat(), wanted.flat(), 1e-2);
    }),
  );
});

test('nothing is left where pictures are not compared', () => {
  fc.assert(
    fc.property(pairs, ([one, other]) => assert.ok(residue(one, other, 2, false).every(([left]) => left === 0))),
  );
});
