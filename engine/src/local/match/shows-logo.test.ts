import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEYPOINT, FINE } from '../../dna/local.ts';
import type { Sketch } from '../verify/guided-matching.ts';
import type { Agreement } from './match-pair.ts';
import { showsLogo } from './shows-logo.ts';

const reference = { width: 320, height: 240 };
const side = 8;
const places = Array.from({ length: side * side }, (_, i): [number, number] => [
  40 * (i % side) + 20,
  30 * Math.floor(i / side) + 15,
]);

/** A reference with a feature in each of 64 cells. */
function sketch(): Sketch {
  const keypoints = new Uint8Array(KEYPOINT * places.length);
  const view = new DataView(keypoints.buffer);
  places.forEach(([x, y], i) => {
    view.setUint16(KEYPOINT * i, FINE * x, true);
    view.setUint16(KEYPOINT * i + 2, FINE * y, true);
  });
  return { count: places.length, keypoints, signs: new Uint32Array(2 * places.length) };
}

/** The query is the reference; features of some places agree. */
function judged(found: readonly number[], evidence: number, overlap?: Parameters<typeof showsLogo>[3]): boolean {
  const [x, y] = [0, 1].map((axis) => Float32Array.from(places, (place) => place[axis]));
  const keypoints = { x, y, turn: new Uint8Array(x.length), level: new Int8Array(x.length) };
  const agreements = found.map((i): Agreement => ({
    feature: i,
    query: places[i],
    reference: places[i],
    distance: 12,
  }));
  const shown = { map: [1, 0, 0, 0, 1, 0, 0, 0, 1], reference, query: reference, keypoints };
  return showsLogo({ evidence, agreements }, sketch(), shown, overlap);
}

const everywhere = places.flatMap((_, i) => (i % 3 === 0 ? [i] : []));
const letters = [24, 25, 26, 27, 28, 29];
const same = { agreeing: 1, inside: 1, tonedInside: 0.8 };
const different = { agreeing: 0.3, inside: 0.05, tonedInside: 0.4 };

test('a logo of little evidence shows where the pictures agree around its features', () => {
  assert.equal(judged(everywhere, 1.8, same), true);
  assert.equal(judged(letters, 1.8, different), false);
});

test('much evidence is enough, and what is unknown of the miniatures decides nothing', () => {
  assert.equal(judged(letters, 8, different), true);
  assert.equal(judged(everywhere, 3), true);
  assert.equal(judged(letters, 1.5), false);
});
