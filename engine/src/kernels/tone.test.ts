import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stream } from '../../test/planted.ts';
import { DirtyWorkspace } from '../../test/dirty-workspace.ts';
import * as plain from '../../test/oracles/tone.ts';

const [width, height] = [40, 30];
type Grid = Parameters<typeof plain.toneOf>[0];

function toneOf({ one, other }: Pick<Grid, 'one' | 'other'>, inverted: boolean): plain.Tone {
  const space = new DirtyWorkspace();
  const planes = space.put(Float64Array.from([...one, ...other]));
  const [table, out] = [space.take(13_376), space.take(24)];
  space.kernels.tone(planes, one.length, Number(inverted), table, out);
  space.assertUnharmed();
  const [slope, offset, tolerance] = space.doubles(out, 3);
  return { slope, offset, tolerance };
}

/** Cells by chance, of which this share follow a line, and the others are by chance too. */
function following(slope: number, offset: number, share: number): Grid {
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

test('it equals its plain twin', () => {
  for (const [slope, offset, share] of [
    [1.3, -2, 0.4],
    [-0.8, 13, 0.3],
    [0.4, 5, 0.1],
  ]) {
    const grid = following(slope, offset, share);
    const partly = { ...grid, other: grid.other.map((value, i) => (i % 7 === 0 ? NaN : value)) };
    for (const inverted of [false, true]) assert.deepEqual(toneOf(partly, inverted), plain.toneOf(partly, inverted));
  }
});
