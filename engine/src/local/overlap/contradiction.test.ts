import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Scene, sideOf, waves } from '../../../test/waves.ts';
import { overlapOf } from './overlap.ts';

const [one, other] = [waves(1), waves(2)];
const contradictionOf = (reference: Scene, query: Scene) =>
  overlapOf(sideOf(reference), sideOf(query), [1, 0, 0, 0, 1, 0, 0, 0, 1], { contradiction: true })!.contradiction!;
const isRim = (x: number, y: number): boolean => Math.min(x, y, 480 - x, 360 - y) < 90;

test('all of a picture agrees with itself, and with its negative', () => {
  for (const query of [one, (x: number, y: number) => -one(x, y)]) {
    const { agreeingShare, contradictingShare, agreeingAround, contradictingInside } = contradictionOf(one, query);
    assert.ok(agreeingShare > 0.99 && agreeingAround > 0.99, `${agreeingShare}, ${agreeingAround}`);
    assert.deepEqual([contradictingShare, contradictingInside], [0, 0]);
  }
});

test('another picture contradicts', () => {
  const { agreeingShare, contradictingShare } = contradictionOf(one, other);
  assert.ok(agreeingShare < 0.3 && contradictingShare > 0.5, `${agreeingShare}, ${contradictingShare}`);
});

test('a hidden middle says nothing, where that of another picture in the same frame contradicts', () => {
  const hidden = contradictionOf(one, (x, y) => (isRim(x, y) ? one(x, y) : 5));
  const framed = contradictionOf(one, (x, y) => (isRim(x, y) ? one : other)(x, y));
  assert.ok(hidden.contradictingInside < 0.25 && framed.contradictingInside > 0.4, JSON.stringify([hidden, framed]));
  assert.ok(hidden.agreeingShare > framed.agreeingShare && hidden.agreeingAround > 0.8, JSON.stringify(hidden));
});

test('of plain pictures no cell says anything', () => {
  const { agreeing, contradicting, agreeingShare, contradictingShare, agreeingAround } = contradictionOf(one, () => 3);
  assert.deepEqual([agreeing, contradicting, agreeingShare, contradictingShare, agreeingAround], [0, 0, 0.5, 0.5, 0.5]);
});

test('a picture agrees in more levels of grey than lettering, and a plain patch contradicts in fewer than another picture', () => {
  const lettering = (x: number, y: number): number => (one(x, y) > 0 ? 10 : 0);
  const [picture, letters] = [contradictionOf(one, one), contradictionOf(lettering, lettering)];
  assert.ok(picture.agreeingLevels > 2 * letters.agreeingLevels, `${picture.agreeingLevels} ${letters.agreeingLevels}`);
  assert.deepEqual([picture.contradictingLevels, contradictionOf(one, () => 3).agreeingLevels], [0.5, 0.5]);
  const beside = (right: Scene): number =>
    contradictionOf(one, (x, y) => (x < 240 ? one : right)(x, y)).contradictingLevels;
  const [hidden, replaced] = [beside(lettering), beside(other)];
  assert.ok(hidden < replaced, `${hidden} ${replaced}`);
});

test('the cells that agree are marked where they are', () => {
  const { width, height, agrees } = contradictionOf(one, (x, y) => (x < 240 ? one : other)(x, y));
  const marked = (from: number, to: number): number => {
    let count = 0;
    for (let y = 1; y < height - 1; y++) for (let x = from; x < to; x++) count += agrees[width * y + x];
    return count / ((height - 2) * (to - from));
  };
  assert.ok(marked(1, 20) > 0.8 && marked(28, 47) < 0.35, `${marked(1, 20)}, ${marked(28, 47)}`);
});

test('cells are compared where the options name it', () => {
  assert.equal(overlapOf(sideOf(one), sideOf(one), [1, 0, 0, 0, 1, 0, 0, 0, 1])!.contradiction, undefined);
});
