import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shardOf, split } from './placement.ts';

test('each shard gets its own pictures, in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000)), fc.integer({ min: 1, max: 5 }), (images, count) => {
      const parts = split(Uint32Array.from(images), count);
      const expected = Array.from({ length: count }, (_, i) => images.filter((image) => shardOf(image, count) === i));
      assert.deepEqual(
        parts.map((part) => [...part!]),
        expected,
      );
    }),
  );
  assert.deepEqual(split(null, 3), [null, null, null]);
});
