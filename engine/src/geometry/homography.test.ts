import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { similarity, stream, views } from '../../test/planted.ts';
import { compose, fitAffine, fitHomography, type Homography, inverse, type Pairs, project } from './homography.ts';

const frame = { width: 512, height: 384 };
const identity: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function assertMaps(found: Homography | undefined, expected: Homography, bound: number): void {
  assert.ok(found, 'no map');
  assert.equal(found[8], 1);
  for (const [x, y] of [
    [0, 0],
    [512, 0],
    [512, 384],
    [0, 384],
    [256, 192],
  ]) {
    const [fx, fy] = project(found, x, y);
    const [ex, ey] = project(expected, x, y);
    const off = Math.hypot(fx - ex, fy - ey);
    assert.ok(off < bound, `(${x}, ${y}) goes to (${fx}, ${fy}), expected (${ex}, ${ey})`);
  }
}

/** Points of the frame and where a map puts them. */
function obeying(
  map: Homography,
  n: number,
  seed: number,
): Pairs & { rx: number[]; ry: number[]; qx: number[]; qy: number[] } {
  const random = stream(seed);
  const points = Array.from({ length: n }, () => [512 * random(), 384 * random()]);
  const images = points.map(([x, y]) => project(map, x, y));
  const column = (rows: readonly number[][], k: number): number[] => rows.map((row) => row[k]);
  return { rx: column(points, 0), ry: column(points, 1), qx: column(images, 0), qy: column(images, 1) };
}

test('a map is applied to row-major coefficients: x first, then y, then what both are divided by', () => {
  assert.deepEqual(project([2, 3, 5, 7, 11, 13, 0, 0, 1], 1, 10), [37, 130]);
  assert.deepEqual(project([1, 0, 0, 0, 1, 0, 0.5, 0.25, 1], 2, 4), [2 / 3, 4 / 3]);
});

test('a map and its inverse cancel, and composing is applying one after the other', () => {
  fc.assert(
    fc.property(views(frame, frame), views(frame, frame), (one, other) => {
      assertMaps(compose(inverse(one)!, one), identity, 1e-6);
      const [x, y] = project(one, 300, 100);
      const [cx, cy] = project(compose(other, one), 300, 100);
      const [ex, ey] = project(other, x, y);
      fc.pre(Math.abs(ex) + Math.abs(ey) < 1e5);
      assert.ok(Math.hypot(cx - ex, cy - ey) < 1e-6 * (1 + Math.abs(ex) + Math.abs(ey)));
    }),
  );
});

test('a map onto a line has no inverse', () => {
  assert.equal(inverse([1, 1, 0, 1, 1, 0, 0, 0, 1]), undefined);
});

test('an affine map is found from points that obey it, weights whatever', () => {
  fc.assert(
    fc.property(
      fc.nat(255),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 3, max: 20 }),
      fc.nat(),
      (angle, scale, n, seed) => {
        const map = compose([1, 0.3, 0, -0.2, 0.9, 0, 0, 0, 1], similarity(angle, scale / 10, [200, 100], [150, 180]));
        const random = stream(seed);
        const weights = Array.from({ length: n }, () => 0.1 + random());
        assertMaps(fitAffine(obeying(map, n, seed), weights), map, 1e-5);
      },
    ),
  );
});

test('a homography is found from points that obey it, weights whatever', () => {
  fc.assert(
    fc.property(views(frame, frame), fc.integer({ min: 8, max: 40 }), fc.nat(), (map, n, seed) => {
      const random = stream(seed);
      const weights = Array.from({ length: n }, () => 0.1 + random());
      assertMaps(fitHomography(obeying(map, n, seed), weights, map), map, 1e-3);
      assertMaps(fitHomography(obeying(map, n, seed), weights, identity), map, 1e-3);
    }),
  );
});

test('what weighs nothing does not pull, what weighs next to nothing hardly does', () => {
  const map = similarity(20, 1.2, [256, 192], [240, 200]);
  const pairs = obeying(map, 20, 7);
  pairs.qx[3] = 1e4;
  pairs.qy[11] = -500;
  const weights = pairs.rx.map((_, i) => (i === 3 || i === 11 ? 0 : 1));
  assertMaps(fitAffine(pairs, weights), map, 1e-6);
  assertMaps(fitHomography(pairs, weights, map), map, 1e-4);
  const slight = weights.map((weight) => Math.max(weight, 1e-9));
  assertMaps(fitAffine(pairs, slight), map, 1e-3);
  assertMaps(fitHomography(pairs, slight, map), map, 1e-3);
});

test('noise is averaged: with many points the map is nearer than any of them', () => {
  const map: Homography = [1.1, 0.1, 20, -0.1, 0.95, 10, 1e-4, -5e-5, 1];
  const random = stream(3);
  const pairs = obeying(map, 400, 5);
  const noisy = {
    ...pairs,
    qx: pairs.qx.map((x) => x + 4 * (random() - 0.5)),
    qy: pairs.qy.map((y) => y + 4 * (random() - 0.5)),
  };
  const weights = new Array<number>(400).fill(1);
  assertMaps(fitHomography(noisy, weights, map), map, 0.8);
  assertMaps(fitAffine(noisy, weights), map, 30);
});

test('points on a line determine neither, one spot and too few points neither', () => {
  const on = (points: readonly (readonly [number, number])[]): Pairs => {
    const [rx, ry] = [points.map(([x]) => x), points.map(([, y]) => y)];
    return { rx, ry, qx: rx.map((x) => x + 5), qy: ry.map((y) => y + 7) };
  };
  const line = on(Array.from({ length: 30 }, (_, i) => [10 * i, 40 + 3 * i] as const));
  const spot = on(Array.from({ length: 30 }, () => [100, 40] as const));
  const few = on([
    [1, 2],
    [300, 40],
    [200, 300],
  ]);
  const weights = (n: number): number[] => new Array<number>(n).fill(1);
  assert.equal(fitAffine(line, weights(30)), undefined);
  assert.equal(fitAffine(spot, weights(30)), undefined);
  assert.equal(fitAffine(few, [1, 1, 0]), undefined);
  assert.equal(fitAffine(few, [0, 0, 0]), undefined);
  assert.equal(fitHomography(line, weights(30), identity), undefined);
  assert.equal(fitHomography(spot, weights(30), identity), undefined);
  assert.equal(fitHomography(few, [1, 1, 1], identity), undefined);
});
