import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { burstNorm, occurrences } from './bursts.ts';

const words = fc
  .array(fc.integer({ min: 0, max: 65535 }).map((word) => word & 0xff07))
  .map((all) => Uint32Array.from(all));

test('each place has the count of its word, call after call', () => {
  fc.assert(
    fc.property(words, (list) => {
      const expected = Array.from(list, (word) => list.filter((other) => other === word).length);
      assert.deepEqual([...occurrences(list)], expected);
    }),
  );
});

test('the norm is the root of the number for distinct words, and the number for one word', () => {
  assert.equal(burstNorm(Uint32Array.of(9, 4, 65535, 0)), 2);
  assert.equal(burstNorm(Uint32Array.of(7, 7, 7, 7)), 4);
  assert.equal(burstNorm(Uint32Array.of(1, 1, 1, 2, 2, 3)), Math.sqrt(14));
});
