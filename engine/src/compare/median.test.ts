import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { median } from './median.ts';

test('it is the number in the middle of the sorted ones, many of them equal or not', () => {
  const numbers = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 1, maxLength: 200 }), (list) => {
      const sorted = Float64Array.from(list).sort();
      assert.ok(median(Float64Array.from(list)) === sorted[list.length >> 1]);
    }),
  );
});
