import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jpegHistory } from './jpeg-history.ts';
import { transposed } from './jpeg-multiples.ts';
import type { Gray } from './gray.ts';

const SIDE = 160;
/** Of JPEG, all alike: coefficients become multiples of this. */
const table = (step: number): number[] => new Array<number>(64).fill(step);

const COSINES = Float64Array.from(
  { length: 64 },
  (_, i) => 0.5 * (i % 8 === 0 ? Math.SQRT1_2 : 1) * Math.cos(((2 * (i >> 3) + 1) * (i % 8) * Math.PI) / 16),
);
const cosine = (x: number, u: number): number => COSINES[8 * x + u]!;

/** Smooth noise: what a photograph is to a block. */
function noise(seed: number): Float32Array {
  let state = seed;
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  let values = Float32Array.from({ length: SIDE * SIDE }, () => 1600 * (next() - 0.5));
  for (let round = 0; round < 4; round++)
    values = values.map(
      (value, i) => (value + values[(i + 1) % values.length]! + values[(i + SIDE) % values.length]!) / 3,
    );
  return values.map((value) => 128 + value);
}

/** A saving as JPEG, its blocks beginning at a pixel. */
function saved(values: Float32Array, step: number, left = 0, top = 0): Float32Array {
  const result = values.slice();
  for (let y0 = top; y0 + 8 <= SIDE; y0 += 8)
    for (let x0 = left; x0 + 8 <= SIDE; x0 += 8) {
      const quantised: number[][] = Array.from({ length: 8 }, (_, v) =>
        Array.from({ length: 8 }, (_, u) => {
          let sum = 0;
          for (let y = 0; y < 8; y++)
            for (let x = 0; x < 8; x++) sum += values[(y0 + y) * SIDE + x0 + x]! * cosine(x, u) * cosine(y, v);
          return step * Math.round(sum / step);
        }),
      );
      for (let y = 0; y < 8; y++)
        for (let x = 0; x < 8; x++) {
          let sum = 0;
          for (let v = 0; v < 8; v++)
            for (let u = 0; u < 8; u++) sum += quantised[v]![u]! * cosine(x, u) * cosine(y, v);
          result[(y0 + y) * SIDE + x0 + x] = Math.round(sum);
        }
    }
  return result;
}

const gray = (values: Float32Array): Gray => ({ width: SIDE, height: SIDE, values });
/** As if the picture went on: its sides are no multiples of 8. */
const whole = { width: SIDE + 3, height: SIDE + 5 };

test('a saving whose blocks begin where those of the mirrored picture would is seen', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 8, max: 20 }), (seed, step) => {
      const once = saved(noise(seed), step, 3, 0);
      const again = saved(once, 3);
      const before = jpegHistory(gray(saved(noise(seed), 3)), whole, table(3)).displaced;
      const { displaced } = jpegHistory(gray(again), whole, table(3));
      assert.ok(displaced > 8 && displaced > before + 3, `${displaced}, ${before} without`);
    }),
    { numRuns: 3 },
  );
});

test('a file that is no JPEG shows the JPEG that it was', () => {
  assert.ok(jpegHistory(gray(saved(noise(3), 9)), { width: SIDE, height: SIDE }, null).displaced > 8);
  assert.ok(jpegHistory(gray(noise(3)), { width: SIDE, height: SIDE }, null).displaced < 8);
});

test('a plain picture and one smaller than a block say nothing', () => {
  const plain = gray(new Float32Array(SIDE * SIDE).fill(200));
  assert.equal(jpegHistory(plain, whole, table(4)).displaced, 0);
  const small = { width: 5, height: 5, values: new Float32Array(25) };
  assert.equal(jpegHistory(small, small, table(4)).displaced, 0);
});

test('multiples of a transposed picture are those of the picture in another order', () => {
  const values = saved(noise(5), 6);
  const across = values.map((_, i) => values[SIDE * (i % SIDE) + Math.floor(i / SIDE)]!);
  const [steps, stepsAcross] = [
    [4, 5, 6, 7, 8, 9],
    [4, 6, 5, 9, 8, 7], // in the zigzag of JPEG
  ];
  const of = (pixels: Float32Array, table: number[]) =>
    jpegHistory(gray(pixels), { width: SIDE, height: SIDE }, table).multiples;
  const [one, other] = [of(values, steps!), of(across, stepsAcross!)];
  assert.notDeepEqual(one, other);
  assert.deepEqual(transposed(one), other);
});
