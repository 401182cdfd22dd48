import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { similarity } from '../../../test/planted.ts';
import { compose, type Homography } from '../../geometry/homography.ts';
import { foreshortening } from './foreshortening.ts';

const squeeze = (factor: number): Homography => [1 / factor, 0, 0, 0, 1, 0, 0, 0, 1];

test('a squeezed picture is foreshortened by the factor, whatever similarities come before and after', () => {
  const angle = fc.nat(255);
  fc.assert(
    fc.property(angle, angle, fc.double({ min: 1.1, max: 4, noNaN: true }), (before, after, factor) => {
      const map = compose(
        similarity(after, 0.7, [0, 0], [50, 30]),
        compose(squeeze(factor), similarity(before, 1.4, [10, 0], [0, 20])),
      );
      assert.ok(Math.abs(foreshortening(map, [100, 80]) - factor) < 1e-6);
    }),
  );
});

test('a similarity has 1, a map that folds has no bound, and perspective counts at its place', () => {
  assert.ok(Math.abs(foreshortening(similarity(40, 0.5, [0, 0], [9, 9]), [30, 20]) - 1) < 1e-6);
  assert.equal(foreshortening([1, 0, 0, 1, 0, 0, 0, 0, 1], [30, 20]), Infinity);
  const tipped: Homography = [1, 0, 0, 0, 1, 0, 0.01, 0, 1];
  assert.deepEqual([foreshortening(tipped, [0, 0]), foreshortening(tipped, [100, 0])], [1, 2]);
});
