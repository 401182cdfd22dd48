import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ranked } from './rank.ts';

const numbers = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true }));
const lists = fc.array(numbers, { minLength: 1, maxLength: 200 });

test('it is the number at its place among the sorted ones, many of them equal or not', () => {
  fc.assert(
    fc.property(lists, fc.nat(199), (list, place) => {
      const at = place % list.length;
      const sorted = Float64Array.from(list).sort();
      assert.ok(ranked(Float64Array.from(list), at) === sorted[at]);
    }),
  );
});
