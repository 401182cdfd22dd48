import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Contradiction } from '../overlap/contradiction.ts';
import { copyFeatureNames, copyFeatures, type ComparedOverlap } from './copy-features.ts';
import { isCopy } from './copy-model.ts';
import type { Agreement, Placement } from './match-pair.ts';

const frame = { width: 500, height: 500 };
const all: Contradiction = {
  width: 46,
  height: 46,
  agreeing: 0.6,
  contradicting: 0,
  agreeingShare: 1,
  contradictingShare: 0,
  agreeingAround: 1,
  contradictingInside: 0,
  agreeingLevels: 0.5,
  contradictingLevels: 0.5,
  agrees: new Uint8Array(46 * 46).fill(1),
};
const whole: ComparedOverlap = {
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
  contradiction: all,
};
const isInner = (at: number): boolean => at >= 6 && at < 40;
const frameCells = Uint8Array.from(all.agrees, (_, i) => Number(!(isInner(i % 46) && isInner(Math.floor(i / 46)))));
/** What shows in a frame, and what hides the middle of a copy. */
const framed: ComparedOverlap = {
  ...whole,
  ...{ inside: 0.1, equal: 0.4, toned: 0.4 },
  contradiction: {
    ...all,
    ...{ agreeing: 0.2, contradicting: 0.4, agreeingShare: 0.3, contradictingShare: 0.6, agreeingAround: 0.6 },
    ...{ contradictingInside: 0.7, agreeingLevels: 0.25, contradictingLevels: 0.6, agrees: frameCells },
  },
};
const hidden: ComparedOverlap = {
  ...whole,
  ...{ inside: 0.1, equal: 0.75, toned: 0.7 },
  contradiction: {
    ...all,
    agreeing: 0.4,
    agreeingShare: 0.85,
    contradictingShare: 0.05,
    contradicting: 0.03,
    agrees: frameCells,
  },
};

/** Features of a picture in a grid of this distance, and those of them that agree where a rule holds. */
function pair(
  overlap: ComparedOverlap,
  evidence: number,
  agrees: (x: number, y: number) => boolean,
  distance = 4,
  query = frame,
) {
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
  const sides = { query, reference: frame } as unknown as Parameters<typeof copyFeatures>[0];
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
  for (const name of ['evidence of the middle', 'inner places']) {
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

test('the middle is that of the overlap, not of the picture', () => {
  const bounds = { ofReference: true, left: 0, top: 0, right: 0.4, bottom: 0.4 };
  const corner = named(pair({ ...whole, bounds }, 5, (x, y) => x > 70 && x < 130 && y > 70 && y < 130));
  assert.ok(corner['evidence of the middle'] > 0.5);
});

test('features are lost, and found, in cells that agree alone', () => {
  const shares = (overlap: ComparedOverlap, agrees: (x: number, y: number) => boolean) => {
    const features = named(pair(overlap, 50, agrees));
    return [features['features lost where cells agree'], features['features found where cells agree']];
  };
  assert.deepEqual(
    shares(whole, () => true),
    [0, 1],
  );
  assert.deepEqual(
    shares(whole, () => false),
    [1, 0],
  );
  const [lost, found] = shares(framed, isRim);
  assert.ok(lost < 0.1 && found > 0.8, `${lost}, ${found}`);
});

test('more agreements count more, and 30 half as much as any number', () => {
  const of = (count: number) =>
    named(pair(whole, 50, (x, y) => 17 * ((y - 15) / 30) + (x - 15) / 30 < count))['agreements'];
  assert.deepEqual([of(0), of(30)], [0, 0.5]);
  assert.ok(of(100) > 0.7 && of(100) < 1);
});

test('copies are recognized, whole, with a hidden middle and in part; frames are not', () => {
  assert.ok(isCopy(pair(whole, 50, () => true)));
  const part = { width: 160, height: 160 };
  assert.ok(isCopy(pair(whole, 12, (x, y) => x < 160 && y < 160, 4, part)));
  assert.ok(isCopy(pair(hidden, 40, isRim)));
  assert.ok(!isCopy(pair(framed, 50, isRim)));
  assert.ok(!isCopy(pair(framed, 2.5, isRim)));
});

test('a table with other entries, of whose cells nearly all agree, is no copy', () => {
  const features = [
    1, 0.45, 0.88, 0.67, 0.5, 0, 0, 0.67, 0.67, 0.0, 0.97, 0.01, 0.99, 0.01, 0.6, 0.38, 0.81, 0.89, 0.2, 0.4, 1,
  ];
  assert.equal(features.length, copyFeatureNames.length);
  assert.ok(features[copyFeatureNames.indexOf('agreeing of textured cells')] > 0.9);
  assert.ok(!isCopy(features));
});
