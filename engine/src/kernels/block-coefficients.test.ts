import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, floatsOf } from '../../test/dirty-workspace.ts';
import { planes } from '../../test/planes.ts';
import type { Plane } from '../../test/oracles/plane.ts';

const FREQUENCIES = [
  [1, 0],
  [0, 1],
  [1, 1],
  [2, 0],
  [0, 2],
] as const;

const wave = (x: number, frequency: number): number =>
  0.5 * (frequency === 0 ? Math.SQRT1_2 : 1) * Math.cos(((2 * x + 1) * frequency * Math.PI) / 16);

/** By their definition. */
function plain({ width, height, values }: Plane, left: number, top: number): number[] {
  const [columns, rows] = [width - left, height - top].map((side) => Math.max(0, Math.floor(side / 8))) as [
    number,
    number,
  ];
  return FREQUENCIES.flatMap(([across, down]) =>
    Array.from({ length: columns * rows }, (_, block) => {
      const [x0, y0] = [left + 8 * (block % columns), top + 8 * Math.floor(block / columns)];
      let sum = 0;
      for (let y = 0; y < 8; y++)
        for (let x = 0; x < 8; x++) sum += values[(y0 + y) * width + x0 + x]! * wave(x, across) * wave(y, down);
      return sum;
    }),
  );
}

test('they equal their definition for any size and any first block, also where no block fits', () => {
  const table = Float32Array.from({ length: 24 }, (_, i) => wave(i % 8, Math.floor(i / 8)));
  const first = fc.integer({ min: 0, max: 7 });
  fc.assert(
    fc.property(planes(1, 40), first, first, (plane, left, top) => {
      const expected = plain(plane, left, top);
      const found = floatsOf(expected.length, (workspace, out) => {
        const { width, height, values } = plane;
        const [at, cosines, scratch] = [workspace.put(values), workspace.put(table), workspace.take(12 * width)];
        workspace.kernels.blockCoefficients(at, width, height, left, top, cosines, out, scratch);
      });
      assertNear(found, expected, 2e-3);
    }),
  );
});
