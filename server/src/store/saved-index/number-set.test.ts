import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NumberSet } from './number-set.ts';

test('a set of numbers behaves as a Set, and lists its numbers in ascending order', () => {
  const number = fc.oneof(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  const change = fc.tuple(fc.constantFrom('add', 'delete'), number);
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const set = new NumberSet();
      const plain = new Set<number>();
      for (const [method, value] of changes) {
        set[method as 'add'](value);
        plain[method as 'add'](value);
        assert.equal(set.has(value), plain.has(value));
      }
      assert.equal(set.size, plain.size);
      assert.deepEqual(
        [...set.numbers()],
        [...plain].sort((a, b) => a - b),
      );
    }),
  );
});
