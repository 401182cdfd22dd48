import { test } from 'node:test';
import { assertNear, floatsOf } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/fourier.ts';
import { cosines } from '../geometry/angle.ts';

const BLOCK_SIDE = 128;
const BLOCK_CELLS = BLOCK_SIDE * BLOCK_SIDE;

/** The real parts, then the imaginary ones. @param times  how often it is transformed */
function fourier(re: Float32Array, im: Float32Array, times = 1): Float32Array {
  return floatsOf(2 * BLOCK_CELLS, (workspace, out) => {
    workspace.floats(out, 2 * BLOCK_CELLS).set([...re, ...im]);
    const table = workspace.put(cosines);
    for (let i = 0; i < times; i++) workspace.kernels.fourier(out, out + 4 * BLOCK_CELLS, table);
  });
}

/** Numbers without a pattern. */
function noise(seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: BLOCK_CELLS }, () => (state = (state * 16807) % 2147483647) / 2147483647 - 0.5);
}

test('it equals its plain twin', () => {
  const [re, im] = [noise(1), noise(2)];
  const expected = plain.fourier(re, im, BLOCK_SIDE).flatMap((part) => Array.from(part));
  assertNear(fourier(re, im), expected, 1e-3);
});

test('a wave is one frequency, rows and columns exchanged', () => {
  const wave = (part: number): Float32Array =>
    Float32Array.from({ length: BLOCK_CELLS }, (_, i) => {
      const steps = 3 * (i % BLOCK_SIDE) + 5 * Math.floor(i / BLOCK_SIDE);
      return cosines[(2 * steps + part) & 255];
    });
  const expected = new Float32Array(2 * BLOCK_CELLS);
  expected[BLOCK_SIDE * 3 + 5] = BLOCK_CELLS;
  assertNear(fourier(wave(0), wave(192)), expected, 0.05);
});

test('twice it gives the opposite place, as often as there are numbers', () => {
  const [re, im] = [noise(3), noise(4)];
  const opposite = (values: Float32Array): number[] =>
    Array.from(values, (_, i) => BLOCK_CELLS * values[BLOCK_SIDE * (-Math.floor(i / BLOCK_SIDE) & 127) + (-i & 127)]);
  assertNear(fourier(re, im, 2), [...opposite(re), ...opposite(im)], 0.5);
});
