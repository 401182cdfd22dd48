import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIRECTION_COUNT, directions } from './directions.ts';

const at = (row: number, column: number, direction: number): number => (row * 4 + column) * DIRECTION_COUNT + direction;

test('gradients of one direction fill the cells where they are, and no other direction', () => {
  const histogram = directions(32, 4, (i) => (i % 32 < 12 ? [0, 2] : [0, 0])); // upwards, in the left columns
  for (let row = 0; row < 4; row++) {
    assert.ok(histogram[at(row, 0, 4)] > 0.2);
    assert.ok(histogram[at(row, 3, 4)] === 0);
    for (const other of [0, 1, 2, 3, 5, 6, 7]) assert.ok(histogram[at(row, 0, other)] < 1e-6);
  }
  assert.ok(Math.abs(histogram.reduce((sum, value) => sum + value * value, 0) - 1) < 1e-12);
});

test('a gradient between two directions is split between them', () => {
  const [cos, sin] = [0.9807852804032304, 0.19509032201612825]; // of 11.25 degrees
  const histogram = directions(32, 4, () => [cos, sin]);
  assert.ok(Math.abs(histogram[at(1, 1, 0)] - histogram[at(1, 1, 1)]) < 1e-9);
  assert.ok(histogram[at(1, 1, 2)] === 0 && histogram[at(1, 1, 7)] === 0);
});

test('a flat square gives zeros', () => {
  assert.ok(directions(16, 4, () => [0, 0]).every((value) => value === 0));
});
