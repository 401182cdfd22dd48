import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ascending } from './ascending.ts';

test('dense and sparse numbers are sorted, up to the highest', () => {
  const dense = fc.nat(200).chain((first) => fc.uniqueArray(fc.nat(300).map((number) => first + number)));
  const sparse = fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  const high = fc.uniqueArray(fc.nat(100).map((number) => 2 ** 32 - 1 - number));
  fc.assert(
    fc.property(fc.oneof(dense, sparse, high), (numbers) => {
      const expected = numbers.toSorted((a, b) => a - b);
      assert.deepEqual([...ascending(Uint32Array.from(numbers))], expected);
    }),
  );
});
