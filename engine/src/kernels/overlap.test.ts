import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DirtyWorkspace } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/overlap.ts';
import { stream } from '../../test/planted.ts';
import { type Miniature, miniatureSize, packMiniature } from '../dna/miniature.ts';
import type { Homography } from '../geometry/homography.ts';
import { overlapOf } from '../local/overlap/overlap.ts';

/** Waves, and noise of this strength. */
function miniature(width: number, height: number, noise: number, seed: number): Miniature {
  const size = miniatureSize({ width, height });
  const random = stream(seed);
  const luma = Float32Array.from({ length: size.width * size.height }, (_, i) => {
    const [x, y] = [i % size.width, Math.floor(i / size.width)];
    return Math.sin(0.5 * x) + Math.sin(0.3 * x + 0.6 * y) + noise * random();
  });
  return packMiniature(size, luma);
}

test('the kernels of the overlap together equal their plain twin', () => {
  const near = fc.integer({ min: -100, max: 100 }).map((value) => value / 200);
  const map = fc
    .tuple(near, near, near, near, near, near, near, near, fc.boolean())
    .map(([a, b, c, d, e, f, g, h, rotated]): Homography => {
      const [x, y] = rotated ? [-1, 480] : [1, 0];
      return [x + a, b, y + 100 * c, d, 1 + e, 100 * f, g / 2000, h / 2000, 1];
    });
  const side = fc
    .record({ width: fc.integer({ min: 200, max: 512 }), height: fc.integer({ min: 200, max: 512 }) })
    .chain(({ width, height }) =>
      fc
        .tuple(fc.constantFrom(0, 1, 4), fc.nat(1000))
        .map(([noise, seed]) => ({ width, height, miniature: miniature(width, height, noise, seed) })),
    );
  let [compared, inverted] = [0, 0];
  fc.assert(
    fc.property(side, side, map, fc.boolean(), (reference, other, homography, negative) => {
      const packed = other.miniature.packed.map((byte) => (negative ? 255 - byte : byte));
      const query = { ...other, miniature: { ...other.miniature, packed } };
      const workspace = new DirtyWorkspace();
      const found = overlapOf(reference, query, homography, { workspace });
      workspace.assertUnharmed();
      assert.deepEqual(found, plain.overlapOf(reference, query, homography));
      if (found) compared++;
      if (found && negative) inverted++;
    }),
    { numRuns: 60 },
  );
  assert.ok(compared > 15 && inverted > 5, `${compared} pairs overlap, ${inverted} of them in the negative`);
});
