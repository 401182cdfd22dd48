import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWithin, sweep } from './sweep.ts';

test('all readable rows are found, and the unreadable ranges contain nothing else', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { maxLength: 300 });
  fc.assert(
    fc.property(numbers, numbers, (all, bad) => {
      const rows = [...all].sort((a, b) => a - b);
      const broken = new Set(bad);
      const read = (from: number, to: number, most: number) => {
        assert.equal(most, to - from + 1);
        for (let number = from; number <= to; number++) if (broken.has(number)) throw new Error('malformed');
        return rows.filter((number) => number >= from && number <= to).map((number) => ({ number }));
      };
      const found: number[] = [];
      const spans = sweep(read, 5000, ({ number }) => void found.push(number));
      assert.deepEqual(
        found,
        rows.filter((number) => !broken.has(number)),
      );
      const unreadable = spans.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
      assert.deepEqual(
        unreadable,
        [...broken].sort((a, b) => a - b),
      );
    }),
  );
});

test('rows outside of the range do not count, and a range of 2^32 numbers takes few reads', () => {
  let reads = 0;
  const found: number[] = [];
  const spans = sweep(
    () => {
      reads++;
      return [{ number: 7 }, { number: 2 ** 40 }];
    },
    2 ** 32,
    ({ number }) => void found.push(number),
  );
  assert.deepEqual([found, spans], [[7], []]);
  assert.ok(reads < 40, `${reads} reads`);
});

test('a number is within spans from the first to the last of any', () => {
  const spans = [[3, 5] as const, [9, 9] as const];
  assert.deepEqual(
    [2, 3, 4, 5, 6, 8, 9, 10].filter((number) => isWithin(spans, number)),
    [3, 4, 5, 9],
  );
  assert.equal(isWithin([], 1), false);
});

test('after a million numbers that cannot be read the rest counts as such too', () => {
  let reads = 0;
  const malformed = new Error('malformed');
  const read = (): never => {
    reads++;
    throw malformed;
  };
  assert.deepEqual(
    sweep(read, 5_000_000, () => assert.fail()),
    [[1, 5_000_000]],
  );
  assert.ok(reads >= 1_000_000 && reads < 1_000_100, String(reads));
});
