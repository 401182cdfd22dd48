import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { best } from './best.ts';

/** A sort, nothing clever. */
function sorted(values: Float64Array, below: number, most: number) {
  const all = [...values.keys()].filter((i) => values[i] < below).sort((a, b) => values[a] - values[b] || a - b);
  const last = most > 0 ? (values[all[most - 1]] ?? Infinity) : -1;
  return { found: all.length, places: Uint32Array.from(all.filter((i) => values[i] <= last)) };
}

test('it picks what sorting picks, ties and limits included', () => {
  const few = fc.constantFrom(0, 0.1, 0.1000000001, 0.25, 0.5, 0.99999, 1);
  const value = fc.oneof(few, fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 60 }).map((list) => Float64Array.from(list)),
      fc.constantFrom(1, 0.5, 0.1, 1e-9),
      fc.nat(70),
      (values, below, most) => assert.deepEqual(best(values, below, most), sorted(values, below, most)),
    ),
  );
});
