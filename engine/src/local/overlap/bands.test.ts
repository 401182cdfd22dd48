import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Scene, sideOf, waves } from '../../../test/waves.ts';
import type { Homography } from '../../geometry/homography.ts';
import { overlapOf } from './overlap.ts';

const inPlace: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const bands = (one: Scene, other: Scene, map = inPlace) =>
  overlapOf(sideOf(one), sideOf(other), map, { bands: true })!.bands!;
const seeds = Array.from({ length: 20 }, (_, seed) => seed + 1);

test('strips leave the bands along them as they are, and change those across', () => {
  for (const seed of seeds) {
    const scene = waves(seed);
    const upright: Scene = (x, y) => (x % 40 < 20 ? 0 : scene(x, y));
    const level: Scene = (x, y) => (y % 40 < 20 ? 0 : scene(x, y));
    for (const striped of [upright, level]) {
      const { along, across } = bands(scene, striped);
      assert.ok(along > 0.85 && across < 0.5, `${along}, ${across}`);
    }
  }
});

test('all bands of a copy agree in both directions, and few of another picture', () => {
  for (const seed of seeds) {
    const { across } = bands(waves(seed), (x, y) => 40 + 3 * waves(seed)(x, y));
    assert.ok(across > 0.95, `${across}`);
    const { along } = bands(waves(seed), waves(seed + 20));
    assert.ok(along < 0.45, `${along}`);
  }
});

test('plain pictures and small overlaps have too few bands', () => {
  assert.deepEqual(bands(waves(1), () => 1), { along: 0, across: 0 }); // prettier-ignore
  assert.deepEqual(bands(waves(1), waves(1), [1, 0, 380, 0, 1, 260, 0, 0, 1]), { along: 0, across: 0 });
});

test('bands are compared where the options name them', () => {
  assert.equal(overlapOf(sideOf(waves(1)), sideOf(waves(1)), inPlace)!.bands, undefined);
});
