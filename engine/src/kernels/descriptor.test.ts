import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/descriptor.ts';
import { drawn, type Plane } from '../../test/oracles/plane.ts';
import { mirrored, planes, rotated } from '../../test/planes.ts';

const SAMPLE_SPACING_PIXELS = 1.25;
/** An entry's square is its share of all gradients; floats may be off by this much of the whole. */
const MAX_ERROR = 2e-5;

interface Keypoint {
  readonly x: number;
  readonly y: number;
  /** In 1/256 of a circle. */
  readonly angle: number;
}

function describe(
  { width, height, values }: Plane,
  keypoints: readonly Keypoint[],
  spacing = SAMPLE_SPACING_PIXELS,
): number[][] {
  const n = keypoints.length;
  const out = floatsOf(128 * n, (workspace, out) => {
    const points = workspace.put(Float32Array.from(keypoints.flatMap(({ x, y, angle }) => [x, y, angle / 256, 0])));
    workspace.kernels.describe(workspace.put(values), width, height, points, n, spacing, out);
  });
  return keypoints.map((_, i) => [...out.subarray(128 * i, 128 * i + 128)]);
}

const squares = (descriptor: readonly number[]): number[] => descriptor.map((v) => v * v);

function assertSame(actual: readonly number[], expected: readonly number[], bound = MAX_ERROR): void {
  assertNear(squares(actual), squares(expected), bound, 'square of entry');
}

/** Planes with a keypoint whose patch may reach beyond the border. */
const described = planes(6, 40).chain((plane) => {
  const within = (side: number): fc.Arbitrary<number> => fc.integer({ min: 4, max: 8 * side - 4 }).map((v) => v / 8);
  return fc.tuple(
    fc.constant(plane),
    fc.record({ x: within(plane.width), y: within(plane.height), angle: fc.nat(255) }),
  );
});

/** Planes in which the patch lies inside, whatever the angle. */
const inside = planes(36, 44).chain((plane) => {
  const within = (side: number): fc.Arbitrary<number> => fc.integer({ min: 17, max: side - 17 });
  return fc.tuple(
    fc.constant(plane),
    fc.record({ x: within(plane.width), y: within(plane.height), angle: fc.nat(255) }),
  );
});

test('a flat patch gives zeros, any other a descriptor of length 1', () => {
  const keypoint = { x: 10, y: 9, angle: 31 };
  assert.deepEqual(
    describe(
      drawn(20, 20, () => 50),
      [keypoint],
    ),
    [new Array(128).fill(0)],
  );
  fc.assert(
    fc.property(described, ([plane, keypoint]) => {
      const [descriptor] = describe(plane, [keypoint]);
      const length = Math.hypot(...descriptor);
      assert.ok(length === 0 || Math.abs(length - 1) < 1e-5, `length ${length}`);
    }),
  );
});

test('an even ramp fills one direction in every cell: its own, seen from the keypoint', () => {
  const ramp = drawn(64, 64, (x) => 4 * x);
  for (const [angle, direction] of [
    [0, 0],
    [32, 7],
    [64, 6],
    [128, 4],
    [192, 2],
  ]) {
    const [descriptor] = describe(ramp, [{ x: 32, y: 32, angle }]);
    descriptor.forEach((v, i) => assert.equal(v > 0.01, i % 8 === direction, `angle ${angle}, entry ${i} is ${v}`));
  }
});

test('a spot on the upper left shows in the first row and column', () => {
  const spot = drawn(40, 40, (x, y) => (x >= 13 && x < 15 && y >= 13 && y < 15 ? 200 : 0));
  const [descriptor] = describe(spot, [{ x: 20, y: 20, angle: 0 }], 1);
  const cells = Array.from({ length: 16 }, (_, cell) => squares(descriptor).slice(8 * cell, 8 * cell + 8));
  const shares = cells.map((cell) => cell.reduce((a, b) => a + b, 0));
  assert.ok(shares[0] > 0.5, `${shares}`);
  assert.deepEqual(
    shares.map((share) => share > 0),
    shares.map((_, i) => i % 4 < 2 && i < 8),
  );
});

test('the window is a bell of sigma 8 samples', () => {
  assertNear(
    plain.BELL_WEIGHTS,
    Array.from({ length: 16 }, (_, i) => Math.exp(-(((i - 7.5) / 8) ** 2) / 2)),
    1e-6,
  );
});

test('a picture and its keypoint rotated together are described alike', () => {
  fc.assert(
    fc.property(inside, ([plane, { x, y, angle }]) => {
      const [before] = describe(plane, [{ x, y, angle }]);
      const [after] = describe(rotated(plane), [{ x: plane.height - y, y: x, angle: (angle + 64) & 255 }]);
      assertSame(after, before);
    }),
    { numRuns: 50 },
  );
});

test('a mirror image is described by the same numbers: row r becomes 3 - r, direction d becomes (8 - d) mod 8', () => {
  fc.assert(
    fc.property(inside, ([plane, { x, y, angle }]) => {
      const [before] = describe(plane, [{ x, y, angle }]);
      const [after] = describe(mirrored(plane), [{ x: plane.width - x, y, angle: (128 - angle) & 255 }]);
      const permuted = before.map((_, i) => {
        const [row, column, direction] = [i >> 5, (i >> 3) & 3, i & 7];
        return before[32 * (3 - row) + 8 * column + ((8 - direction) & 7)];
      });
      assertSame(after, permuted);
    }),
    { numRuns: 50 },
  );
});

test('less contrast and more light leave a descriptor alone', () => {
  fc.assert(
    fc.property(described, ([plane, keypoint]) => {
      const dim = { ...plane, values: plane.values.map((v) => 100 + v / 2) };
      assertSame(describe(dim, [keypoint])[0], describe(plane, [keypoint])[0]);
    }),
    { numRuns: 50 },
  );
});

test('it equals its plain twin, for several keypoints at once and beyond the border', () => {
  fc.assert(
    fc.property(described, fc.constantFrom(1, 1.25, 2), ([plane, keypoint], spacing) => {
      const keypoints = [keypoint, { x: plane.width / 2, y: plane.height / 2, angle: 7 }, { x: 1, y: 1, angle: 200 }];
      const found = describe(plane, keypoints, spacing);
      keypoints.forEach(({ x, y, angle }, i) => assertSame(found[i], plain.describe(plane, x, y, angle, spacing)));
    }),
  );
});
