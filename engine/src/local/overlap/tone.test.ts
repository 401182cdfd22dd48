import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stream } from '../../../test/planted.ts';
import type { CommonGrid } from './common-grid.ts';
import { toneOf } from './tone.ts';

const [width, height] = [40, 30];

/** Cells by chance, of which this share follow a line, and the others are by chance too. */
function following(slope: number, offset: number, share: number): CommonGrid {
  const random = stream(5);
  const one = Float64Array.from({ length: width * height }, () => Math.floor(16 * random()));
  const shown = (value: number): number => Math.min(15, Math.max(0, slope * value + offset));
  const other = one.map((value) => (random() < share ? shown(value) : 15 * random()));
  return { width, height, one, other, covered: one.length, ofReference: true };
}

test('the line that most cells follow is found among others', () => {
  for (const [slope, offset] of [
    [1, 0],
    [0.5, 6],
    [2, -12],
    [-1, 15],
    [-0.5, 9],
  ]) {
    const found = toneOf(following(slope, offset, 0.5), slope < 0);
    for (const value of [8, 10, 12]) {
      const away = Math.abs(found.slope * value + found.offset - slope * value - offset);
      assert.ok(away <= found.tolerance, `${slope} ${offset}: ${away} away at ${value}`);
    }
  }
});

test('a steep line forgives more, since it enlarges the rounding of the cells', () => {
  assert.equal(toneOf(following(0.5, 3, 1), false).tolerance, 1);
  assert.equal(toneOf(following(2, -10, 1), false).tolerance, 1.5);
});

test('cells beside the overlap do not count', () => {
  const grid = following(1, 0, 1);
  const other = grid.other.map((value, i) => (i < 900 ? NaN : value));
  const { slope, offset, tolerance } = toneOf({ ...grid, other }, false);
  assert.ok(Math.abs(slope * 15 + offset - 15) <= tolerance && Math.abs(offset) <= tolerance);
});
