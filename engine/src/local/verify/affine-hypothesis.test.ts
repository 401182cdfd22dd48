import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, type Homography } from '../../geometry/homography.ts';
import { bestAffine } from './affine-hypothesis.ts';
import { Effort } from './effort.ts';
import { emptyTentative, type Tentative } from './tentative.ts';

/** Correspondences of some places under a map, then some that no map explains. */
function pairsUnder(map: Homography, places: readonly (readonly [number, number])[], wrong: number): Tentative {
  const pairs = emptyTentative(places.length + wrong);
  const put = (i: number, [rx, ry]: readonly [number, number], [qx, qy]: readonly [number, number]): void => {
    [pairs.rx[i], pairs.ry[i], pairs.qx[i], pairs.qy[i], pairs.rScale[i], pairs.qScale[i]] = [rx, ry, qx, qy, 1, 1];
  };
  places.forEach((place, i) => put(i, place, project(map, ...place)));
  for (let k = 0; k < wrong; k++) {
    put(places.length + k, [(k * 97) % 400, (k * 53) % 300], [(k * 61 + 200) % 400, (k * 131 + 90) % 300]);
  }
  pairs.distance.fill(10);
  return pairs;
}

const places = [
  [40, 30],
  [300, 50],
  [120, 220],
  [350, 260],
  [200, 140],
  [60, 180],
] as const;
const stretched: Homography = [1, 0, 20, 0, 0.45, 10, 0, 0, 1];

test('finds a stretched map among correspondences that do not agree', () => {
  const found = bestAffine(pairsUnder(stretched, places, 12), new Effort());
  assert.ok(found);
  for (const [x, y] of places) {
    const [[u, v], [s, t]] = [project(found, x, y), project(stretched, x, y)];
    assert.ok(Math.abs(u - s) < 1e-6 && Math.abs(v - t) < 1e-6, `${u}, ${v} instead of ${s}, ${t}`);
  }
});

test('leaves similarities, mirror images and what three places agree with to others', () => {
  const similarity: Homography = [0.5, 0.3, 20, -0.3, 0.5, 150, 0, 0, 1];
  assert.equal(bestAffine(pairsUnder(similarity, places, 0), new Effort()), undefined);
  const mirrored: Homography = [-1, 0, 400, 0, 0.45, 10, 0, 0, 1];
  assert.equal(bestAffine(pairsUnder(mirrored, places, 0), new Effort()), undefined);
  assert.equal(bestAffine(pairsUnder(stretched, places.slice(0, 3), 0), new Effort()), undefined);
});

test('counts its comparisons', () => {
  const effort = new Effort();
  bestAffine(pairsUnder(stretched, places, 100), effort);
  assert.ok(effort.spent > 0 && effort.spent <= 364 * 106, `${effort.spent} comparisons`);
});
