import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Overlap } from '../overlap/overlap.ts';
import { copyFeatureNames, copyFeatures } from './copy-features.ts';
import { isCopy } from './copy-model.ts';
import type { Agreement, Placement } from './match-pair.ts';

const frame = { width: 500, height: 500 };
const whole: Overlap = {
  agreeing: 1,
  apart: 0,
  inside: 1,
  equal: 1,
  toned: 1,
  tonedInside: 1,
  cells: 2116,
  covered: 0.92,
  compact: 0,
  bounds: { ofReference: true, left: 0, top: 0, right: 1, bottom: 1 },
};
const framed: Overlap = { ...whole, agreeing: 0.4, apart: 0.5, inside: 0.1, equal: 0.4, toned: 0.4, tonedInside: 0.2 };

/** Features of a picture in a grid of this distance, and those of them that agree where a rule holds. */
function pair(overlap: Overlap, evidence: number, agrees: (x: number, y: number) => boolean, distance = 4) {
  const places: [number, number][] = [];
  for (let y = 15; y < 500; y += 30) for (let x = 15; x < 500; x += 30) places.push([x, y]);
  const keypoints = new Uint8Array(6 * places.length);
  const view = new DataView(keypoints.buffer);
  places.forEach(([x, y], i) => {
    view.setUint16(6 * i, 64 * x, true);
    view.setUint16(6 * i + 2, 64 * y, true);
  });
  const agreements = places
    .filter(([x, y]) => agrees(x, y))
    .map((place, feature): Agreement => ({ feature, query: place, reference: place, distance }));
  const placement = { homography: [1, 0, 0, 0, 1, 0, 0, 0, 1], evidence, agreements } as unknown as Placement;
  const sketch = { count: places.length, keypoints, signs: new Uint32Array() };
  const sides = { query: frame, reference: frame } as unknown as Parameters<typeof copyFeatures>[0];
  return copyFeatures(sides, placement, sketch, overlap);
}

const named = (features: readonly number[]) =>
  Object.fromEntries(features.map((value, i) => [copyFeatureNames[i], value]));
const isRim = (x: number, y: number) => Math.min(x, y, 500 - x, 500 - y) < 60;

test('a feature for each name, from 0 to 1', () => {
  for (const features of [
    pair(whole, 50, () => true),
    pair(framed, 2, isRim),
    pair(whole, 2.5, (x) => x < 40, 22),
    pair(framed, 2, () => false),
  ]) {
    assert.equal(features.length, copyFeatureNames.length);
    for (const value of features) assert.ok(value >= 0 && value <= 1, `${features}`);
  }
});

test('a copy has all of its features, a frame none inside', () => {
  const copy = named(pair(whole, 50, () => true));
  const frame = named(pair(framed, 50, isRim));
  for (const name of ['evidence of the middle', 'inner places', 'inner cells with agreement']) {
    assert.equal(copy[name], 1, name);
    assert.equal(frame[name], 0, name);
  }
});

test('features that are less alike are neither close nor evidence of the middle', () => {
  const at = (distance: number) => named(pair(whole, 50, () => true, distance));
  assert.deepEqual(
    [8, 9, 10, 11].map((distance) => at(distance)['close features']),
    [1, 0, 0, 0],
  );
  assert.deepEqual(
    [10, 11].map((distance) => at(distance)['evidence of the middle']),
    [1, 0],
  );
});

test('the middle and the cells are those of the overlap, not of the picture', () => {
  const bounds = { ofReference: true, left: 0, top: 0, right: 0.4, bottom: 0.4 };
  const corner = named(pair({ ...whole, bounds }, 5, (x, y) => x > 70 && x < 130 && y > 70 && y < 130));
  assert.ok(corner['evidence of the middle'] > 0.5 && corner['inner cells with agreement'] > 0.2);
});

test('a small overlap without equal cells is both together', () => {
  const of = (covered: number, equal: number | undefined) =>
    named(pair({ ...whole, covered, equal }, 5, () => true))['small overlap without equal cells'];
  assert.deepEqual([of(0, 0), of(0.2, 0), of(0, 1), of(0.1, 0.5), of(0, undefined)], [1, 0, 0, 0.25, 0.5]);
});

test('agreements count up to a hundred', () => {
  const of = (rows: number) => named(pair(whole, 50, (_, y) => y < 30 * rows))['agreements'];
  assert.deepEqual([of(0), of(1), of(17)], [0, 0.17, 1]);
});

test('copies are recognized, whole, in half and with a little evidence, and frames are not', () => {
  const half: Overlap = { ...whole, agreeing: 0.55, apart: 0.4, inside: 0.5, equal: 0.8, toned: 0.6, tonedInside: 0.5 };
  assert.ok(isCopy(pair(whole, 50, () => true)));
  assert.ok(isCopy(pair(whole, 2.5, (x, y) => x > 200 && x < 330 && y > 150)));
  assert.ok(isCopy(pair(half, 20, (x) => x < 250)));
  assert.ok(!isCopy(pair(framed, 50, isRim)));
  assert.ok(!isCopy(pair(framed, 2.5, isRim)));
});
