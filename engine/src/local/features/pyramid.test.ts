import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cropped, doubled, photographs } from '../../../test/pictures.ts';
import { frameSize } from '../../geometry/frame.ts';
import { Workspace } from '../../kernels/workspace.ts';
import type { Picture } from '../../pixels/picture.ts';
import { levelScale, pyramid } from './pyramid.ts';

test('a frame is the picture fitted to 512, the other side rounded down, never enlarged', () => {
  const cases: [number, number, number, number][] = [
    [512, 512, 512, 512],
    [511, 3, 511, 3],
    [513, 512, 512, 511],
    [1000, 600, 512, 307],
    [599, 1000, 306, 512],
    [1000, 599, 512, 306],
    [9000, 1, 512, 1],
    [1, 9000, 1, 512],
  ];
  for (const [w, h, width, height] of cases) assert.deepEqual(frameSize(w, h), { width, height });
});

test('a frame keeps the shape to within a pixel', () => {
  const side = fc.integer({ min: 1, max: 16383 });
  fc.assert(
    fc.property(side, side, (w, h) => {
      const { width, height } = frameSize(w, h);
      const scale = Math.max(width, height) / Math.max(w, h);
      assert.ok(Math.max(width, height) <= 512 && scale <= 1);
      assert.ok(w * scale - width < 1 + 1e-9 || width === 1);
      assert.ok(h * scale - height < 1 + 1e-9 || height === 1);
      assert.ok(width >= 1 && height >= 1);
    }),
  );
});

test('three levels are half the size', () => {
  for (let index = -6; index < 12; index++) assert.ok(Math.abs(levelScale(index + 3) / levelScale(index) - 2) < 1e-12);
  assert.equal(levelScale(0), 1);
});

test('levels are coarsest first, each 2^(1/3) finer, and end before a side falls below 28 pixels', () => {
  const picture = doubled(doubled(photographs[0]));
  const levels = pyramid(picture, -2, new Workspace());
  assert.deepEqual(
    levels.map(({ index }) => index),
    [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -2],
  );
  for (const { index, width, height } of levels) {
    assert.ok(Math.abs(width - 512 / levelScale(index)) <= 0.5 && Math.abs(height - 341 / levelScale(index)) <= 0.5);
    assert.ok(height >= 28);
  }
});

test('levels finer than the frame are made where the picture shows as much, or they are small', () => {
  const finest = (picture: Picture, wanted: number): number => pyramid(picture, wanted, new Workspace()).at(-1)!.index;
  const cases: [string, Picture, number][] = [
    ['768 pixels, 5 % less than level -2', doubled(photographs[0]), -1],
    ['384 pixels, level -1 within 512', photographs[0], -1],
    ['200 pixels, level -4 within 512', cropped(photographs[0], 0, 0, 200, 150), -4],
  ];
  for (const [what, picture, index] of cases) assert.equal(finest(picture, -5), index, what);
  assert.equal(finest(photographs[0], 0), 0);
});

test('every level shows the same picture: alike in its mean and in its quarters', () => {
  const workspace = new Workspace();
  const levels = pyramid(doubled(photographs[0]), -2, workspace);
  const quarters = levels.map(({ width, height, plane }) => {
    const values = workspace.floats(plane, width * height);
    const [sums, counts] = [new Float64Array(4), new Float64Array(4)];
    values.forEach((value, i) => {
      const quarter = (i % width < width / 2 ? 0 : 1) + (i < (height / 2) * width ? 0 : 2);
      sums[quarter] += value;
      counts[quarter]++;
    });
    return sums.map((sum, k) => sum / counts[k]);
  });
  for (const means of quarters) {
    means.forEach((mean, k) =>
      assert.ok(Math.abs(mean - quarters.at(-1)![k]) < 2, `${mean}, expected ${quarters.at(-1)![k]}`),
    );
  }
});

test('the levels from the frame up do not depend on how fine they begin', () => {
  const picture = doubled(photographs[4]);
  const planes = (finest: number): Map<number, number[]> => {
    const workspace = new Workspace();
    const levels = pyramid(picture, finest, workspace).filter(({ index }) => index >= 0);
    return new Map(
      levels.map(({ index, plane, width, height }) => [index, [...workspace.floats(plane, width * height)]]),
    );
  };
  assert.deepEqual(planes(-2), planes(0));
});
