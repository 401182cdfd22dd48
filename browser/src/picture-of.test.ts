import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opaque } from './picture-of.ts';

test('the fourth byte of RGBA is dropped', () => {
  assert.deepEqual(opaque(Uint8ClampedArray.of(1, 2, 3, 255, 4, 5, 6, 255)), Uint8Array.of(1, 2, 3, 4, 5, 6));
});
