import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cellsOf, miniatureBytes, miniatureSize, packMiniature } from './miniature.ts';

test('48 cells on the longer side, as many as the proportions give on the other, at least one', () => {
  const sizes = [
    [640, 480, 48, 36],
    [480, 640, 36, 48],
    [30, 30, 48, 48],
    [1000, 600, 48, 29],
    [65535, 24, 48, 1],
    [0, 0, 1, 1],
  ];
  for (const [width, height, across, down] of sizes) {
    assert.deepEqual(miniatureSize({ width, height }), { width: across, height: down }, `${width} x ${height}`);
  }
});

test('the cells are the plane between its darkest and its brightest value in 16 steps', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(255), { minLength: 48, maxLength: 48 }), (luma) => {
      const [low, high] = [Math.min(...luma), Math.max(...luma)];
      const miniature = packMiniature({ width: 48, height: 1 }, Float32Array.from(luma));
      assert.equal(miniature.packed.length, miniatureBytes(miniature));
      const wanted = luma.map((value) => (high > low ? Math.round((15 * (value - low)) / (high - low)) : 0));
      cellsOf(miniature).forEach((cell, i) => assert.ok(Math.abs(cell - wanted[i]) <= 1));
      assert.deepEqual(
        [luma.indexOf(low), luma.indexOf(high)].map((i) => cellsOf(miniature)[i]),
        [0, high > low ? 15 : 0],
      );
    }),
  );
});
