import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelScale } from '../features/pyramid.ts';
import { mirrorKeypoints, scaleOf, tentative } from './tentative.ts';

const keypoints = {
  x: Float32Array.of(10, 20.5, 300),
  y: Float32Array.of(1, 2, 3),
  angle: Uint8Array.of(0, 10, 200),
  level: Int8Array.of(-2, 0, 3),
};

test('correspondences are sorted by falling similarity, equal ones in the order of the search, with the keypoints of both pictures', () => {
  const pairs = tentative(
    {
      count: 4,
      feature: Uint16Array.of(2, 0, 1, 0),
      distance: Uint8Array.of(9, 3, 9, 1),
      x: Float32Array.of(1, 2, 3, 4),
      y: Float32Array.of(5, 6, 7, 8),
      angle: Uint8Array.of(100, 4, 20, 0),
      level: Uint8Array.of(0, 3, 6, 9),
    },
    keypoints,
  );
  assert.equal(pairs.count, 4);
  assert.deepEqual([...pairs.feature], [0, 0, 2, 1]);
  assert.deepEqual([...pairs.distance], [1, 3, 9, 9]);
  assert.deepEqual([...pairs.rx], [4, 2, 1, 3]);
  assert.deepEqual([...pairs.ry], [8, 6, 5, 7]);
  assert.deepEqual([...pairs.qx], [10, 10, 300, 20.5]);
  assert.deepEqual([...pairs.qy], [1, 1, 3, 2]);
  assert.deepEqual([...pairs.angle], [0, 252, 100, 246]);
  assert.deepEqual([...pairs.rScale], [9, 3, 0, 6].map(levelScale));
  assert.deepEqual([...pairs.qScale], [-2, -2, 3, 0].map(levelScale));
});

test('in a picture that repeats itself, correspondences that share a feature or a place come later by two bits a doubling', () => {
  const count = 512;
  const bytes = new Uint8Array(count);
  // ranks: 14 of feature 4; 16 of feature 0, which has 508; 16, 17 and 22 of features 3, 2 and 1, which share a place
  const feature = Uint16Array.from({ length: count }, (_, i) => Math.max(0, i - 507));
  const distance = Uint8Array.from({ length: count }, (_, i) => (i < 508 ? 0 : [20, 15, 14, 14][i - 508]));
  const x = Float32Array.from({ length: count }, (_, i) => [i, 508, 508, 510][Math.max(0, i - 508)]);
  const many = { x: new Float32Array(5), y: new Float32Array(5), angle: new Uint8Array(5), level: new Int8Array(5) };
  const pairs = tentative(
    { count, feature, distance, x, y: new Float32Array(count), angle: bytes, level: bytes },
    many,
  );
  assert.equal(pairs.count, count);
  assert.deepEqual([...pairs.feature], [4, ...new Array<number>(508).fill(0), 3, 2, 1]);
});

test('three levels are twice as wide', () => {
  for (let level = -13; level < 13; level++) {
    assert.ok(Math.abs(scaleOf(level + 3) / scaleOf(level) - 2) < 1e-12);
    assert.equal(scaleOf(level), levelScale(level));
  }
});

test('the keypoints of a mirror image lie on the other side and point the other way; mirrored twice they are themselves', () => {
  const once = mirrorKeypoints(keypoints, 512);
  assert.deepEqual([...once.x], [502, 491.5, 212]);
  assert.deepEqual([...once.angle], [128, 118, 184]);
  assert.deepEqual(mirrorKeypoints(once, 512), keypoints);
});
