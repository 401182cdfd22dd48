import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame, type Scene, sideOf, waves } from '../../../test/waves.ts';
import { type Homography, inverse, project } from '../../geometry/homography.ts';
import { Effort } from '../verify/effort.ts';
import { emptyTentative, type Tentative } from '../verify/tentative.ts';
import { overlapOf } from './overlap.ts';
import { alignPixels } from './same-pixels.ts';

const [one, other] = [waves(1), waves(2)];
/** A part of a fifth of the width, enlarged to the whole query. */
const part: Homography = [5, 0, -900, 0, 5, -700, 0, 0, 1];
/** The reference as a fifth of the query. */
const small: Homography = [0.2, 0, 150, 0, 0.2, 90, 0, 0, 1];

/** One correspondence under a map, whose scale is off by a factor and whose angle by so many 1/256. */
function pairUnder(map: Homography, { scale = 1, angle = 0, distance = 4 } = {}): Tentative {
  const pair = emptyTentative(1);
  const [rx, ry] = [238, 176];
  [[pair.rx[0], pair.ry[0]], [pair.qx[0], pair.qy[0]]] = [[rx, ry], project(map, rx, ry)];
  [pair.rScale[0], pair.qScale[0], pair.angle[0], pair.distance[0]] = [1, scale * map[0], angle & 255, distance];
  return pair;
}

/** What shows of one picture in another. */
function shown(inside: Scene, map: Homography, beside: Scene): Scene {
  const back = inverse(map)!;
  return (x, y) => {
    const [u, v] = project(back, x, y);
    return u >= 0 && v >= 0 && u <= frame.width && v <= frame.height ? inside(u, v) : beside(x, y);
  };
}

function aligned(reference: Scene, query: Scene, pair: Tentative) {
  const [left, right] = [sideOf(reference), sideOf(query)];
  return alignPixels(pair, (map) => overlapOf(left, right, map), frame, frame, new Effort());
}

test('one nearly equal feature finds a small part, though its scale and angle are rough', () => {
  for (const off of [{}, { scale: 1.1 }, { scale: 0.92, angle: 2 }]) {
    const found = aligned(one, shown(one, part, other), pairUnder(part, off));
    assert.ok(found, JSON.stringify(off));
    assert.ok(Math.abs(found.homography[0] - 5) <= 0.51, `${found.homography[0]}`);
  }
});

test('and a whole that is small in the query, but not another picture', () => {
  assert.ok(aligned(one, shown(one, small, other), pairUnder(small)));
  assert.equal(aligned(one, shown(other, small, one), pairUnder(small)), undefined);
  assert.equal(aligned(one, other, pairUnder(part)), undefined);
});

test('features that are only similar are left alone', () => {
  assert.equal(aligned(one, shown(one, part, other), pairUnder(part, { distance: 9 })), undefined);
});

test('corners that two pictures have in common are no part', () => {
  const corner: Homography = [1, 0, -200, 0, 1, -150, 0, 0, 1];
  assert.equal(aligned(one, shown(one, corner, other), pairUnder(corner)), undefined);
});
