import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/luma.ts';

const luma = (rgb: Uint8Array): Float32Array =>
  floatsOf(rgb.length / 3, (workspace, out) => workspace.kernels.luma(workspace.put(rgb), rgb.length / 3, out));

test('white is 255, black 0, and green counts most', () => {
  assert.deepEqual([...luma(Uint8Array.of(255, 255, 255, 0, 0, 0))], [255, 0]);
  assert.deepEqual([...luma(Uint8Array.of(256 / 2, 0, 0, 0, 128, 0, 0, 0, 128))], [77 / 2, 150 / 2, 29 / 2]);
});

test('a grey pixel keeps its level', () => {
  const levels = Array.from({ length: 256 }, (_, level) => level);
  assert.deepEqual([...luma(Uint8Array.from(levels.flatMap((v) => [v, v, v])))], levels);
});

test('it equals its plain twin, bit for bit, for any number of pixels', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)), { maxLength: 40 }), (pixels) => {
      const rgb = Uint8Array.from(pixels.flat());
      assert.deepEqual(luma(rgb), plain.luma(rgb));
    }),
  );
});
