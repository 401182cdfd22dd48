import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Scene, sideOf, waves } from '../../../test/waves.ts';
import { overlapOf } from './overlap.ts';

const [one, other] = [waves(1), waves(2)];
const middleOf = (reference: Scene, query: Scene) =>
  overlapOf(sideOf(reference), sideOf(query), [1, 0, 0, 0, 1, 0, 0, 0, 1], { middle: true })!.middle!;
const isRim = (x: number, y: number): boolean => Math.min(x, y, 480 - x, 360 - y) < 90;

test('a picture agrees with itself in its middle and around', () => {
  const { alike, around } = middleOf(one, one);
  assert.ok(alike! > 0.97 && around! > 0.97, JSON.stringify({ alike, around }));
});

test('another picture in the same frame agrees around, and not in the middle', () => {
  const { alike, around } = middleOf(one, (x, y) => (isRim(x, y) ? one : other)(x, y));
  assert.ok(alike! < 0.4 && around! > 0.85, JSON.stringify({ alike, around }));
});

test('what is plain in one of the pictures says nothing of the middle', () => {
  const hand: Scene = (x, y) => (x > 240 && !isRim(x, y) ? -3 : one(x, y));
  const { alike } = middleOf(one, hand);
  const shown = middleOf(one, (x, y) => (x > 240 && !isRim(x, y) ? other : one)(x, y)).alike;
  assert.ok(alike! > 0.75 && alike! > shown! + 0.15, JSON.stringify({ alike, shown }));
  const plain: Scene = (x, y) => (Math.min(x, y, 480 - x, 360 - y) < 40 ? one(x, y) : 0);
  assert.equal(middleOf(one, plain).alike, undefined);
});

test('the middle is compared where the options name it', () => {
  assert.equal(overlapOf(sideOf(one), sideOf(one), [1, 0, 0, 0, 1, 0, 0, 0, 1])!.middle, undefined);
});
