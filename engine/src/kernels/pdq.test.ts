import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/pdq.ts';
import { cosines } from '../geometry/angle.ts';

/** The coefficients, then the quality. */
function pdq(rgb: Uint8Array, width: number, height: number): Float32Array {
  return floatsOf(257, (workspace, out) => {
    const wide = Math.max(width + (width % 2), 64);
    const scratch = workspace.take(4 * (2 * wide * (height + 1) + 5120));
    const quality = workspace.kernels.pdq(workspace.put(rgb), width, height, workspace.put(cosines), out, scratch);
    workspace.floats(out, 257)[256] = quality;
  });
}

const side = fc.oneof(fc.integer({ min: 5, max: 70 }), fc.constantFrom(128, 129, 257));

test('it equals its plain twin, for any size', () => {
  fc.assert(
    fc.property(side, side, fc.integer({ min: 1, max: 2 ** 31 - 2 }), fc.nat(60), (width, height, seed, contrast) => {
      let state = seed;
      const next = (): number => (state = (state * 16807) % 2147483647) % (contrast + 1);
      const rgb = Uint8Array.from({ length: 3 * width * height }, () => 100 + next());
      const { coefficients, quality } = plain.pdq(rgb, width, height);
      const found = pdq(rgb, width, height);
      assertNear(found.subarray(0, 256), coefficients, 0.05);
      assertNear(found.subarray(256), [quality], 1); // a step at the limit of two percents
    }),
    { numRuns: 6 },
  );
});

test('an even picture has quality 0, a chessboard of 64 fields a side 100', () => {
  const board = (light: number): Uint8Array =>
    Uint8Array.from({ length: 3 * 64 * 64 }, (_, i) => ((Math.floor(i / 3) + Math.floor(i / 192)) % 2 ? light : 0));
  assert.equal(pdq(board(0), 64, 64)[256], 0);
  assert.equal(pdq(board(255), 64, 64)[256], 100);
});
