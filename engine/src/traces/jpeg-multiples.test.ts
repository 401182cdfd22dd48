import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { multiplesOf, savedFrom } from './jpeg-multiples.ts';

/** Coefficients as photographs have them, each saved with some steps one after the other; pixels are whole numbers after each change. */
function coefficients(seed: number, gain: number, ...steps: number[]): Float64Array {
  let state = seed;
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const whole = (value: number): number => value + 0.85 * (next() + next() - 1);
  return Float64Array.from({ length: 3000 }, () => {
    let value = (next() < 0.5 ? -1 : 1) * -25 * Math.log(next() + 1e-9);
    for (const [i, step] of steps.entries()) {
      if (i > 0 && gain !== 1) value = whole(gain * value);
      value = whole(step * Math.round(value / step));
    }
    return value;
  });
}

const multiples = (values: Float64Array, step: number) => multiplesOf([values], [step]);
const seeds = fc.integer({ min: 1, max: 1e9 });

test('the file that was saved again is found, whether its steps are finer or coarser', () => {
  for (const [first, second] of [
    [6, 2],
    [5, 3],
    [3, 7],
    [2, 5],
  ] as const)
    fc.assert(
      fc.property(seeds, (seed) => {
        const original = multiples(coefficients(seed, 1, first), first);
        const again = multiples(coefficients(seed, 1, first, second), second);
        assert.ok(savedFrom(again, original, 1) > 0, `${first}, then ${second}`);
        assert.ok(savedFrom(original, again, 1) < 0, `${first}, then ${second}`);
      }),
      { numRuns: 20 },
    );
});

test('the one that was toned before it was saved again is found, though its contrast is known in part', () => {
  fc.assert(
    fc.property(seeds, fc.constantFrom(0.82, 0.9, 1.1), (seed, gain) => {
      const original = multiples(coefficients(seed, 1, 7), 7);
      const toned = multiples(coefficients(seed, gain, 7, 2), 2);
      const found = savedFrom(toned, original, gain * 1.008);
      assert.ok(found > 0, `${gain}: ${found}`);
      assert.ok(savedFrom(original, toned, 1 / (gain * 1.008)) < 0);
    }),
    { numRuns: 20 },
  );
});

test('files with the same steps, with too little to compare, or that are no JPEG say nothing', () => {
  const file = multiples(coefficients(1, 1, 4), 4);
  const none = multiplesOf([], []);
  const flat = multiples(new Float64Array(3000), 2);
  for (const [one, other] of [
    [file, file],
    [file, none],
    [none, none],
    [flat, multiples(new Float64Array(3000), 4)],
  ] as const)
    assert.equal(Math.abs(savedFrom(one, other, 1)), 0);
});
