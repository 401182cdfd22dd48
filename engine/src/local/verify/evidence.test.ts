import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Pair, tentativeOf } from '../../../test/planted.ts';
import { evidence, evidenceOfBoth, evidenceOfGuided, support } from './evidence.ts';

const pair = (rx: number, ry: number, qx: number, qy: number, distance = 0): Pair => {
  return { rx, ry, qx, qy, distance, angle: 0, rScale: 1, qScale: 1 };
};
const supportOf = (pairs: readonly Pair[]): number =>
  support(
    tentativeOf(pairs),
    pairs.map((_, i) => i),
  );

test('a correspondence is worth 1 when signatures are equal, less with each bit, nothing from 22 on', () => {
  const worths = [0, 11, 21, 22].map((distance) => supportOf([pair(5, 5, 5, 5, distance)]));
  assert.deepEqual(worths, [1, 0.5, 1 - 21 / 22, 0]);
});

test('of those in one place the best counts, in the picture that has fewer places', () => {
  assert.equal(supportOf([pair(5, 5, 5, 5, 11), pair(9, 9, 9, 1, 0)]), 1);
  assert.equal(supportOf([pair(5, 5, 5, 5), pair(15, 5, 5, 9)]), 1);
  assert.equal(supportOf([pair(5, 5, 5, 5), pair(5, 9, 15, 5)]), 1);
  assert.equal(supportOf([pair(5, 5, 5, 5), pair(15, 5, 5, 15)]), 2);
  assert.equal(supportOf([]), 0);
});

test('places are squares of 10 pixels', () => {
  assert.equal(supportOf([pair(10, 0, 10, 0), pair(19.5, 9.5, 19.5, 9.5)]), 1);
  assert.equal(supportOf([pair(9.5, 0, 9.5, 0), pair(10, 0, 10, 0)]), 2);
  assert.equal(supportOf([pair(0, 9.5, 0, 9.5), pair(0, 10, 0, 10)]), 2);
  assert.equal(supportOf([pair(511.5, 0, 511.5, 0), pair(0, 10, 0, 10)]), 2);
});

test('only the inliers count', () => {
  const pairs = tentativeOf([pair(5, 5, 5, 5), pair(25, 5, 25, 5), pair(45, 5, 45, 5)]);
  assert.equal(support(pairs, [0, 2]), 2);
});

test('it is never more than the places on either side, wherever they are', () => {
  const place = fc.integer({ min: 0, max: 1024 }).map((v) => v / 2);
  const any = fc.tuple(place, place, place, place, fc.nat(22)).map((numbers) => pair(...numbers));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 60 }), (pairs) => {
      const cells = (x: 'rx' | 'qx', y: 'ry' | 'qy'): number =>
        new Set(pairs.map((p) => `${Math.floor(p[x] / 10)} ${Math.floor(p[y] / 10)}`)).size;
      const found = supportOf(pairs);
      assert.ok(found <= Math.min(cells('rx', 'ry'), cells('qx', 'qy')) + 1e-9);
      const best = supportOf(pairs.map((p) => ({ ...p, distance: 0 })));
      assert.equal(best, Math.min(cells('rx', 'ry'), cells('qx', 'qy')));
    }),
  );
});

test('many correspondences lower the evidence by what they give by chance', () => {
  const pairs = tentativeOf([pair(5, 5, 5, 5), pair(15, 5, 5, 15)]);
  assert.equal(evidence({ ...pairs, count: 300 }, [0, 1]), 1);
  assert.equal(evidence({ ...pairs, count: 0 }, [0, 1]), 2);
});

test('of two looks the geometric mean counts; equal signatures are worth four of middling ones, and many correspondences lower it', () => {
  const pairs = tentativeOf([pair(5, 5, 5, 5), pair(15, 5, 15, 5, 8)]);
  const guided = tentativeOf([pair(25, 5, 25, 5, 22)]);
  const more = tentativeOf([pair(25, 5, 25, 5), pair(35, 5, 35, 5)]);
  assert.equal(evidenceOfBoth({ ...pairs, count: 0 }, [0], pairs), 0.75 * Math.sqrt(4 * (4 + (1 - 8 / 22) + 0.75)));
  assert.equal(evidenceOfBoth({ ...pairs, count: 0 }, [0], guided), 0);
  assert.equal(evidenceOfBoth({ ...pairs, count: 30 }, [0], more), 0.75 * Math.sqrt((4 * 8) / 4));
});

test('guided matching alone is evidence of half its support', () => {
  assert.equal(evidenceOfGuided(tentativeOf([pair(5, 5, 5, 5), pair(25, 5, 25, 5, 11)])), 0.75);
});
