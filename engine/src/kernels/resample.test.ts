import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, assertPlane, floatsOf } from '../../test/dirty-workspace.ts';
import { drawn, type Plane } from '../../test/oracles/plane.ts';
import * as plain from '../../test/oracles/resample.ts';
import { planes, sizes } from '../../test/planes.ts';

/** Weights are rounded to floats, and up to some dozen products of them with grey levels are added. */
const MAX_ERROR = 1e-3;

function resample(plane: Plane, width: number, height: number): Float32Array {
  const coarser = Math.max(plane.width / width, plane.height / height, 1);
  const taps = 2 * Math.ceil(coarser) + 1;
  const lines = width * plane.height + 4 * (plane.width + taps);
  const scratch = 4 * (lines + Math.max(width, height) * (2 + taps));
  return floatsOf(width * height, (workspace, out) => {
    const src = workspace.put(plane.values);
    workspace.kernels.resample(src, plane.width, plane.height, out, width, height, workspace.take(scratch));
  });
}

test('halving takes half of two pixels, less of their neighbours', () => {
  const plane = drawn(8, 1, (x) => (x === 4 ? 160 : 0));
  // triangle of radius 2 around 4, 8 … : distances 0.5 and 1.5 weigh 3 and 1 of 8
  assertNear(resample(plane, 4, 1), [0, 20, 60, 0], MAX_ERROR);
});

test('the same size changes nothing', () => {
  fc.assert(fc.property(planes(1, 12), (plane) => assertPlane(resample(plane, plane.width, plane.height), plane, 0)));
});

test('what is all the same stays so, at any size', () => {
  fc.assert(
    fc.property(sizes(1, 20), sizes(1, 20), fc.nat(255), (from, to, level) => {
      const constant = drawn(from.width, from.height, () => level);
      assertPlane(
        resample(constant, to.width, to.height),
        drawn(to.width, to.height, () => level),
        MAX_ERROR,
      );
    }),
  );
});

test('a ramp stays the same ramp away from the border', () => {
  fc.assert(
    fc.property(
      sizes(12, 40),
      sizes(6, 60),
      fc.integer({ min: -4, max: 4 }),
      fc.integer({ min: -4, max: 4 }),
      (from, to, a, b) => {
        const ramp = (x: number, y: number): number => 128 + a * (x - from.width / 2) + b * (y - from.height / 2);
        const made = resample(
          drawn(from.width, from.height, (x, y) => ramp(x + 0.5, y + 0.5)),
          to.width,
          to.height,
        );
        const [wide, high] = [from.width / to.width, from.height / to.height];
        for (let y = 0; y < to.height; y++) {
          for (let x = 0; x < to.width; x++) {
            const [sx, sy] = [(x + 0.5) * wide, (y + 0.5) * high];
            const [marginX, marginY] = [Math.max(wide, 1) + 0.5, Math.max(high, 1) + 0.5];
            if (Math.min(sx - marginX, from.width - marginX - sx, sy - marginY, from.height - marginY - sy) < 0)
              continue;
            // a triangle as wide as two coarse pixels is sampled at whole pixels: off by less than half a level's rise
            const bound =
              (Number.isInteger(wide) || wide <= 1) && (Number.isInteger(high) || high <= 1) ? MAX_ERROR : 1;
            assertNear([made[y * to.width + x]], [ramp(sx, sy)], bound * Math.max(1, Math.abs(a) + Math.abs(b)));
          }
        }
      },
    ),
  );
});

test('it equals its plain twin, from any size to any other', () => {
  fc.assert(
    fc.property(planes(1, 24), sizes(1, 30), (plane, { width, height }) => {
      assertPlane(resample(plane, width, height), plain.resample(plane, width, height), MAX_ERROR);
    }),
  );
});
