import assert from 'node:assert/strict';
import { test } from 'node:test';
import { background } from './background.ts';
import type { Lab } from './oklab.ts';

const GRID_SIDE = 20;
const white: Lab = [0.98, 0, 0.01];
const red: Lab = [0.6, 0.2, 0.1];

/** A grid drawn pixel by pixel. */
const drawn = (colour: (x: number, y: number) => Lab): Lab[] =>
  Array.from({ length: GRID_SIDE * GRID_SIDE }, (_, at) => colour(at % GRID_SIDE, Math.floor(at / GRID_SIDE)));
const inside = (x: number, y: number, margin: number): boolean =>
  Math.min(x, y, GRID_SIDE - 1 - x, GRID_SIDE - 1 - y) >= margin;
const count = (mask: Uint8Array): number => mask.reduce((sum, value) => sum + value, 0);

test('an object on white: the background is all but its inside', () => {
  const mask = background(drawn((x, y) => (inside(x, y, 5) ? red : white)))!;
  assert.equal(count(mask), GRID_SIDE * GRID_SIDE - 8 * 8); // the rim of the object is mixed and goes too
  assert.deepEqual([mask[0], mask[10 * GRID_SIDE + 10]], [1, 0]);
});

test('white inside the object is no background', () => {
  const mask = background(drawn((x, y) => (inside(x, y, 8) ? white : inside(x, y, 4) ? red : white)))!;
  assert.equal(mask[10 * GRID_SIDE + 10], 0);
});

test('a shadow belongs to the background, another tint as light does not', () => {
  const under = (colour: Lab) => background(drawn((x, y) => (inside(x, y, 3) ? (y > 9 ? red : colour) : white)))!;
  assert.equal(under([0.9, 0, 0.01])[6 * GRID_SIDE + 8], 1);
  assert.equal(under([0.98, 0.07, 0.01])[6 * GRID_SIDE + 8], 0);
});

test('an object may touch the rim', () => {
  const mask = background(drawn((x, y) => (x > 6 && x < 13 && y > 5 ? red : white)))!;
  assert.deepEqual([mask[19 * GRID_SIDE + 10], mask[19 * GRID_SIDE + 2]], [0, 1]);
});

test('no plain rim, or nothing but background: none', () => {
  assert.equal(background(drawn((x, y) => [((x * 7 + y * 13) % 10) / 10, ((x + y) % 3) / 20, 0])), null);
  assert.equal(background(drawn(() => white)), null);
});
