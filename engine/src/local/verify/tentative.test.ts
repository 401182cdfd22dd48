import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelScale } from '../features/pyramid.ts';
import { mirrorKeypoints, scaleOf, tentative } from './tentative.ts';

const keypoints = {
  x: Float32Array.of(10, 20.5, 300),
  y: Float32Array.of(1, 2, 3),
  turn: Uint8Array.of(0, 10, 200),
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
      turn: Uint8Array.of(100, 4, 20, 0),
      level: Uint8Array.of(0, 3, 6, 9),
    },
    keypoints,
  );
  assert.deepEqual([pairs.count, pairs.found], [4, 4]);
  assert.deepEqual([...pairs.feature], [0, 0, 2, 1]);
  assert.deepEqual([...pairs.distance], [1, 3, 9, 9]);
  assert.deepEqual([...pairs.rx], [4, 2, 1, 3]);
  assert.deepEqual([...pairs.ry], [8, 6, 5, 7]);
  assert.deepEqual([...pairs.qx], [10, 10, 300, 20.5]);
  assert.deepEqual([...pairs.qy], [1, 1, 3, 2]);
  assert.deepEqual([...pairs.turn], [0, 252, 100, 246]);
  assert.deepEqual([...pairs.rScale], [9, 3, 0, 6].map(levelScale));
  assert.deepEqual([...pairs.qScale], [-2, -2, 3, 0].map(levelScale));
});

test('of more than 500 the most alike are kept, and their number before is given', () => {
  const distance = Uint8Array.from({ length: 1500 }, (_, i) => (i * 7) % 23);
  const bytes = new Uint8Array(1500);
  const x = Float32Array.from(distance, (_, i) => i);
  const feature = new Uint16Array(1500);
  const pairs = tentative({ count: 1500, feature, distance, x, y: x, turn: bytes, level: bytes }, keypoints);
  const sorted = [...x].sort((a, b) => distance[a] - distance[b] || a - b).slice(0, 500);
  assert.deepEqual([pairs.count, pairs.found], [500, 1500]);
  assert.deepEqual([...pairs.rx], sorted);
  assert.deepEqual(
    [...pairs.distance],
    sorted.map((i) => distance[i]),
  );
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
  assert.deepEqual([...once.turn], [128, 118, 184]);
  assert.deepEqual(mirrorKeypoints(once, 512), keypoints);
});
