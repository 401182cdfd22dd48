import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JpegMultiples, multiplesOf, savedFrom } from './jpeg-multiples.ts';

/** Coefficients as photographs have them, each saved with some steps one after the other; pixels are whole numbers after each change. */
function coefficients(seed: number, gain: number, ...steps: number[]): Float32Array {
  let state = seed;
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const whole = (value: number): number => value + 0.85 * (next() + next() - 1);
  return Float32Array.from({ length: 3000 }, () => {
    let value = (next() < 0.5 ? -1 : 1) * -25 * Math.log(next() + 1e-9);
    for (const [i, step] of steps.entries()) {
      if (i > 0 && gain !== 1) value = whole(gain * value);
      value = whole(step * Math.round(value / step));
    }
    return value;
  });
}

const multiples = (values: Float32Array, step: number) => multiplesOf([values], [step]);
/** How many of 50 files are said to be saved from the one of a seed, and the other way round. */
function found(originalOf: (seed: number) => JpegMultiples, againOf: (seed: number) => JpegMultiples, gain: number) {
  const seeds = Array.from({ length: 50 }, (_, i) => 1 + 331337 * i);
  const both = seeds.map((seed) => [originalOf(seed), againOf(seed)] as const);
  return {
    right: both.filter(([original, again]) => savedFrom(again, original, gain) > 0).length,
    reversed: both.filter(([original, again]) => savedFrom(original, again, 1 / gain) < 0).length,
  };
}

test('the file that was saved again is found, whether its steps are finer or coarser', () => {
  for (const [first, second] of [
    [6, 2],
    [5, 3],
    [3, 7],
    [2, 5],
  ] as const) {
    const again = (seed: number) => multiples(coefficients(seed, 1, first, second), second);
    const { right, reversed } = found((seed) => multiples(coefficients(seed, 1, first), first), again, 1);
    assert.ok(Math.min(right, reversed) > 47, `${first}, then ${second}: ${right} and ${reversed} of 50`);
  }
});

test('the one that was toned before it was saved again is found, though its contrast is known in part', () => {
  for (const gain of [0.82, 0.9, 1.1]) {
    const toned = (seed: number) => multiples(coefficients(seed, gain, 7, 2), 2);
    const { right, reversed } = found((seed) => multiples(coefficients(seed, 1, 7), 7), toned, gain * 1.008);
    assert.ok(Math.min(right, reversed) > 47, `${gain}: ${right} and ${reversed} of 50`);
  }
});

test('files with the same steps, with too little to compare, or that are no JPEG say nothing', () => {
  const file = multiples(coefficients(1, 1, 4), 4);
  const none = multiplesOf([], []);
  const flat = multiples(new Float32Array(3000), 2);
  for (const [one, other] of [
    [file, file],
    [file, none],
    [none, none],
    [flat, multiples(new Float32Array(3000), 4)],
  ] as const)
    assert.equal(Math.abs(savedFrom(one, other, 1)), 0);
});
