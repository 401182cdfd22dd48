import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { photographs } from '../../test/pictures.ts';
import { type Homography, inverse, project } from '../geometry/homography.ts';
import { Workspace } from '../kernels/workspace.ts';
import { channelsOf, planesAt } from '../pixels/planes.ts';
import { agreement, levelled, refine } from './refine.ts';
import { warpOnto } from './warp.ts';

const space = new Workspace();
const [width, height] = [300, 220];
const size = { width, height };
const planes = planesAt(photographs[0], size, space);
const [luma] = channelsOf(planes, space).map((values) => values.slice());
const levelledOf = (values: Float32Array) => levelled(space.put(values), size, space);
const query = levelledOf(luma);

/** The photograph seen through a map: what the reference shows at p, the query shows at map(p). */
const seen = (map: Homography) => levelled(warpOnto(size, planes, map, space).at, size, space);

/** The most that two maps are apart, at nine places inside. */
function apart(a: Homography, b: Homography): number {
  const places = [0.2, 0.5, 0.8].flatMap((x) => [0.2, 0.5, 0.8].map((y) => [x * width, y * height] as const));
  return Math.max(
    ...places.map(([x, y]) => {
      const [p, q] = [project(a, x, y), project(b, x, y)];
      return Math.hypot(p[0] - q[0], p[1] - q[1]);
    }),
  );
}

const small = fc.integer({ min: -100, max: 100 }).map((value) => value / 100);
/** Up to about two pixels from doing nothing, in every way that a homography can move. */
const near = fc
  .tuple(small, small, small, small, small, small, small, small)
  .map(([a, b, c, d, e, f, g, h]): Homography => [
    ...[1 + a / 300, b / 300, c],
    ...[d / 300, 1 + e / 300, f],
    ...[g / 1e5, h / 1e5, 1],
  ]);

test('a planted map is found to a fraction of a pixel, from a pixel or two away', () => {
  fc.assert(
    fc.property(near, (map) => {
      const found = refine(seen(map), query, [1, 0, 0, 0, 1, 0, 0, 0, 1], space);
      assert.ok(apart(found, map) < 0.1, `${apart(found, map)} pixels off`);
    }),
    { numRuns: 20 },
  );
});

test('what really differs does not pull', () => {
  const map: Homography = [1, 0, 0.7, 0, 1, -0.6, 0, 0, 1];
  const warped = channelsOf(warpOnto(size, planes, map, space), space)[0].slice();
  for (let y = 60; y < 150; y++) warped.fill(((y >> 3) & 1) * 200, y * width + 80, y * width + 180);
  const found = refine(levelledOf(warped), query, [1, 0, 0, 0, 1, 0, 0, 0, 1], space);
  assert.ok(apart(found, map) < 0.15, `${apart(found, map)} pixels off`);
});

test('where there is nothing to go by the start stays', () => {
  const flat = levelledOf(new Float32Array(width * height).fill(90));
  const start: Homography = [1, 0, 3, 0, 1, 2, 0, 0, 1];
  assert.equal(refine(flat, flat, start, space), start);
});

test('the right map agrees, a wrong one does not, and the covered share is given', () => {
  const map: Homography = [1, 0, 30, 0, 1, 0, 0, 0, 1];
  const right = agreement(seen(map), query, map, space);
  assert.ok(right.alike > 0.9, `${right.alike}`);
  assert.ok(Math.abs(right.covered - 0.9) < 0.01);
  assert.ok(agreement(seen(map), query, inverse(map)!, space).alike < 0.3);
});

test('brightness and contrast that change over the picture leave the levelled picture as it is', () => {
  const lit = levelledOf(luma.map((value, i) => value * (0.6 + (i % width) / width) + 30));
  const { alike } = agreement(lit, query, [1, 0, 0, 0, 1, 0, 0, 0, 1], space);
  assert.ok(alike > 0.97, `${alike}`);
});
