import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved, photographs } from '../../../test/pictures.ts';
import { Workspace } from '../../kernels/workspace.ts';
import type { Picture } from '../../pixels/picture.ts';
import { pyramid } from './pyramid.ts';
import { inverse, withoutMotion } from './without-motion.ts';

const workspace = new Workspace();

/** The mean square of the difference, away from the border. */
function difference(one: Picture, other: Picture, motion?: readonly [number, number]): number {
  const mark = workspace.mark();
  const [a, b] = [one, other].map((picture) => pyramid(picture, 0, workspace).at(-1)!);
  const { width, height, plane } = motion ? withoutMotion(b, motion, workspace) : b;
  const [is, should] = [plane, a.plane].map((at) => workspace.floats(at, width * height).slice());
  workspace.release(mark);
  let [sum, count] = [0, 0];
  for (let y = 30; y < height - 30; y++)
    for (let x = 30; x < width - 30; x++, count++) sum += (is[width * y + x] - should[width * y + x]) ** 2;
  return sum / count;
}

test('most of a motion is undone, in each direction', () => {
  const motions = [
    [12, 0],
    [0, 9],
    [8, 8],
    [-14, 6],
    [5, -10],
  ] as const;
  for (const [i, motion] of motions.entries()) {
    const blurred = moved(photographs[i], motion[0], motion[1]);
    const [before, after] = [difference(photographs[i], blurred), difference(photographs[i], blurred, motion)];
    assert.ok(after < 0.5 * before, `${motion.join()}: ${after} after ${before}`);
  }
});

test('the weights add up to 1, are the same on both sides, and undo a mean', () => {
  for (const length of [5, 8.5, 12, 31]) {
    const weights = inverse(length);
    const reach = (weights.length - 1) / 2;
    assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9);
    weights.forEach((weight, i) => assert.ok(Math.abs(weight - weights[2 * reach - i]) < 1e-12));
    // the means over so many pixels of a bright one, undone in its middle and one motion aside
    const share = (i: number): number => Math.min(1, Math.max(0, length / 2 - Math.abs(i) + 0.5)) / length;
    const at = (place: number): number =>
      weights.reduce((sum, weight, i) => sum + weight * share(place - (i - reach)), 0);
    assert.ok(at(0) > 3 * share(0), `${length}: ${at(0)}`);
    const aside = Math.abs(at(Math.round(length / 2)));
    assert.ok(aside < 0.2 * at(0), `${length}: ${at(0)}, ${aside} aside`);
  }
});
