import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Scene, sideOf, waves } from '../../../test/waves.ts';
import { type Homography, inverse } from '../../geometry/homography.ts';
import { overlapOf } from './overlap.ts';

const same: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const [one, other] = [waves(1), waves(2)];
const overlap = (reference: Scene, query: Scene, map = same) => overlapOf(sideOf(reference), sideOf(query), map)!;

test('a picture agrees with itself, darker, of less contrast, with another curve and in the negative', () => {
  for (const tone of [
    (v: number) => v,
    (v: number) => 0.3 * v + 40,
    (v: number) => (v + 12) ** 1.5,
    (v: number) => -v,
  ]) {
    const { agreeing, apart, inside } = overlap(one, (x, y) => tone(one(x, y)));
    assert.deepEqual([agreeing, apart], [1, 0], `${tone}`);
    assert.ok(inside > 0.97, `${tone}: ${inside}`);
  }
});

test('another picture does not agree', () => {
  const { agreeing, apart, inside } = overlap(one, other);
  assert.ok(agreeing < 0.45 && apart > 0.3 && inside < 0.36, JSON.stringify({ agreeing, apart, inside }));
});

test('half of a picture agrees by a half, and the other half is one place', () => {
  const { agreeing, apart, inside } = overlap(one, (x, y) => (x < 240 ? one : other)(x, y));
  assert.ok(
    Math.abs(agreeing - 0.6) < 0.12 && apart > 0.2 && Math.abs(inside - 0.5) < 0.15,
    JSON.stringify({ agreeing, apart, inside }),
  );
});

test('a frame agrees outside and not inside, a changed place the other way round', () => {
  const isRim: Scene = (x, y) => Math.min(x, y, 480 - x, 360 - y);
  const frame = overlap(one, (x, y) => (isRim(x, y) < 70 ? one : other)(x, y));
  assert.ok(frame.agreeing > 0.4 && frame.inside < 0.3, JSON.stringify(frame));
  const place = overlap(one, (x, y) => (Math.abs(x - 100) < 40 && Math.abs(y - 100) < 40 ? other : one)(x, y));
  assert.ok(place.agreeing > 0.85 && place.apart > 0.02 && place.apart < 0.1, JSON.stringify(place));
});

test('what lies outside of the overlap does not count, whichever picture is the larger', () => {
  for (const map of [
    [0.4, 0, 60, 0, 0.4, 50, 0, 0, 1],
    [0, -0.6, 300, 0.6, 0, 40, 0, 0, 1],
    [1, 0, 150, 0, 1, 90, 0, 0, 1],
  ]) {
    const back = inverse(map)!;
    const shown: Scene = (x, y) => {
      const [u, v] = [0, 3].map((k) => back[k] * x + back[k + 1] * y + back[k + 2]);
      return u >= 0 && v >= 0 && u <= 480 && v <= 360 ? one(u, v) : other(x, y);
    };
    const found = overlap(one, shown, map);
    assert.ok(found.agreeing > 0.97, `${map}: ${JSON.stringify(found)}`);
    const exchanged = overlap(shown, one, back);
    assert.ok(exchanged.agreeing > 0.97, `${map}, exchanged: ${JSON.stringify(exchanged)}`);
  }
});

test('nothing is said of few cells, and of a map without an inverse', () => {
  const side = sideOf(one);
  assert.equal(overlapOf(side, side, [1, 0, 465, 0, 1, 0, 0, 0, 1]), undefined);
  assert.equal(overlapOf(side, side, [1, 0, 0, 1, 0, 0, 0, 0, 1]), undefined);
});

test('plain pictures agree', () => {
  const plain = () => 7;
  const { agreeing, apart, inside, equal, toned, tonedInside } = overlap(plain, plain);
  assert.deepEqual(
    { agreeing, apart, inside, equal, toned, tonedInside },
    {
      agreeing: 1,
      apart: 0,
      inside: 1,
      equal: undefined,
      toned: 1,
      tonedInside: 1,
    },
  );
  assert.ok(overlap(plain, one).agreeing < 0.2);
});

test('what agrees is nearly equal in a copy, and less so where fine structure differs', () => {
  const shaken: Scene = (x, y) => one(x, y) + 1.2 * Math.sin(0.9 * x) * Math.sin(0.8 * y);
  assert.ok(overlap(one, one).equal! > 0.99);
  const { agreeing, equal } = overlap(one, shaken);
  assert.ok(agreeing > 0.9 && equal! < 0.9, JSON.stringify({ agreeing, equal }));
});

test('what follows the tone of the whole is a half of a half-replaced picture, in any tone', () => {
  for (const tone of [(v: number) => v, (v: number) => 0.6 * v + 3, (v: number) => -v]) {
    const { toned, tonedInside } = overlap(one, (x, y) => tone((x < 240 ? one : other)(x, y)));
    assert.ok(toned > 0.5 && toned < 0.75, `${tone}: ${toned}`);
    assert.ok(tonedInside > 0.5 && tonedInside < 0.75, `${tone}: ${tonedInside}`);
  }
  const frame = overlap(one, (x, y) => (Math.min(x, y, 480 - x, 360 - y) < 90 ? one : other)(x, y));
  assert.ok(frame.toned > frame.tonedInside + 0.15, JSON.stringify(frame));
});

test('the bounds are those of the overlap, in the picture with the larger cells', () => {
  const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 0.08, `${actual}`);
  const shifted = overlap(one, one, [1, 0, 120, 0, 1, 90, 0, 0, 1]);
  near(shifted.cells / (48 * 36), 0.75 * 0.75);
  assert.equal(shifted.covered, shifted.cells / (48 * 36));
  for (const small of [0.5, 2]) {
    const { ofReference, left, top, right, bottom } = overlap(one, one, [small, 0, 24, 0, small, 18, 0, 0, 1]).bounds;
    assert.equal(ofReference, small > 1);
    const expected = small > 1 ? [0, 0, 0.475, 0.475] : [0.05, 0.05, 0.55, 0.55];
    [left, top, right, bottom].forEach((value, i) => near(value, expected[i]));
  }
});
