import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertNear, DirtyWorkspace } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/least-squares.ts';

const NUMBERS = 14;
const number = fc.double({ min: -100, max: 100, noNaN: true });
const weight = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 2, noNaN: true }));
const numbers = (count: number) => fc.array(number, { minLength: count, maxLength: count });

test('sums of products equal those of the plain twin; a record of no weight counts for nothing, whatever it has', () => {
  const records = fc.array(fc.record({ columns: numbers(10), weight }), { maxLength: 20 });
  fc.assert(
    fc.property(records, fc.integer({ min: 1, max: 9 }), (records, rows) => {
      const space = new DirtyWorkspace();
      const all = records.flatMap(({ columns, weight }) => [
        ...columns.map((value) => (weight === 0 ? NaN : value)),
        ...[weight, 0, 0, 0],
      ]);
      const [at, out] = [space.put(Float64Array.from(all)), space.take(80 * rows)];
      space.kernels.normalEquations(at, records.length, rows, out);
      space.assertUnharmed();
      assert.deepEqual([...space.doubles(out, 10 * rows)].map(positive), plain.sumsOf(records, rows).map(positive));
    }),
  );
});

test('what lies further from a law weighs less, and what an expected law leaves is written', () => {
  const samples = fc
    .integer({ min: 1, max: 9 })
    .chain((terms) =>
      fc.tuple(
        numbers(terms),
        numbers(terms),
        fc.array(fc.record({ terms: numbers(terms), value: number, weight }), { maxLength: 12 }),
      ),
    );
  fc.assert(
    fc.property(samples, fc.constantFrom(Infinity, 30, 8), ([law, expected, samples], scale) => {
      const space = new DirtyWorkspace();
      const all = samples.flatMap(({ terms, value, weight }) => [
        ...terms.concat(Array<number>(11 - terms.length).fill(NaN)),
        ...[value, weight, NaN],
      ]);
      const [at, laws] = [
        space.put(Float64Array.from(all)),
        space.put(Float64Array.from(law.flatMap((a, k) => [a, expected[k]]))),
      ];
      const total = space.kernels.weighByLaw(at, samples.length, law.length, laws, scale);
      const written = samples.map((_, i) => [...space.doubles(at + 8 * (NUMBERS * i + 9), 2)]);
      const wanted = samples.map((sample) => plain.byLaw(sample, law, expected, scale));
      assert.deepEqual(
        written,
        wanted.map(({ unexpected, weight }) => [unexpected, weight]),
      );
      assertNear([total], [wanted.reduce((sum, { weight }) => sum + weight, 0)], 0);
    }),
  );
});

/** 0 has one sign. */
function positive(value: number): number {
  return value + 0;
}
