import assert from 'node:assert/strict';
import { test } from 'node:test';
import { photographs } from '../../../test/pictures.ts';
import { Workspace } from '../../kernels/workspace.ts';
import type { Picture } from '../../pixels/picture.ts';
import { corners, detected } from './keypoints.ts';
import { pyramid } from './pyramid.ts';

const workspace = new Workspace();
const side = 400;

/** Squares on a grid, equal but for a slight noise. */
function squares(period: number, seed: number): Picture {
  const rgb = new Uint8Array(3 * side * side);
  let noise = seed;
  for (let i = 0; i < side * side; i++) {
    const [x, y] = [i % side, Math.floor(i / side)];
    noise = (noise * 1103515245 + 12345) & 0x7fffffff;
    const inside = x % period < period / 2 && y % period < period / 2;
    rgb.fill((inside ? 60 : 190) + ((noise >> 16) % 5), 3 * i, 3 * i + 3);
  }
  return { width: side, height: side, rgb, originalWidth: side, originalHeight: side };
}

/** The corners of the frame's level, as lines of x, y, response. */
function cornersOf(picture: Picture, core: number, all: number): string[] {
  const mark = workspace.mark();
  const level = pyramid(picture, 0, workspace).at(-1)!;
  const { count, points } = corners(detected(level, workspace), core, all, workspace);
  const values = Array.from(workspace.floats(points, 3 * count));
  workspace.release(mark);
  return Array.from({ length: count }, (_, i) => values.slice(3 * i, 3 * i + 3).join(' '));
}

const placeOf = (corner: string): number[] => corner.split(' ').slice(0, 2).map(Number);
const fromMiddle = (corner: string): number => Math.max(...placeOf(corner).map((at) => Math.abs(at - side / 2)));

test('most features of a picture that repeats itself lie around its middle, so that a copy has the same', () => {
  const [one, other] = [1, 2].map((seed) => cornersOf(squares(20, seed), 40, 40).slice(0, 40));
  assert.ok(one.filter((corner) => fromMiddle(corner) <= 50).length >= 28);
  const common = one.filter((corner) => {
    const [x, y] = placeOf(corner);
    return other.map(placeOf).some(([u, v]) => Math.abs(u - x) < 1 && Math.abs(v - y) < 1);
  });
  assert.ok(common.length >= 24, `${common.length} of 40`);
});

test('features of a photograph are spread over all of it', () => {
  const { width, height } = photographs[0];
  const found = cornersOf(photographs[0], 70, 70).slice(0, 70).map(placeOf);
  const quarters = new Set(found.map(([x, y]) => 2 * Number(2 * x > width) + Number(2 * y > height)));
  assert.equal(quarters.size, 4);
});

for (const [what, picture] of [
  ['a photograph', photographs[1]],
  ['a picture that repeats itself', squares(16, 3)],
] as const) {
  test(`the corners of the core do not depend on how many more there are: ${what}`, () => {
    assert.deepEqual(cornersOf(picture, 40, 300).slice(0, 40), cornersOf(picture, 40, 40).slice(0, 40));
  });
}
