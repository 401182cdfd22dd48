import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { photographs } from '../../test/pictures.ts';
import { Workspace } from '../kernels/workspace.ts';
import { channelsOf, type PlanesAt, planesAt } from '../pixels/planes.ts';
import { matchLighting } from './lighting.ts';
import type { Warped } from './warp.ts';

const space = new Workspace();
const planes = planesAt(photographs[0], { width: 240, height: 180 }, space);

/** The planes in another light, all of them inside. @param change  of a value at a place */
function warped(change: (value: number, x: number, y: number, channel: number) => number): Warped {
  const { width, height } = planes;
  const changed = channelsOf(planes, space).flatMap((values, channel) =>
    Array.from(values, (value, i) => change(value, i % width, Math.floor(i / width), channel)),
  );
  return {
    width,
    height,
    at: space.put(Float32Array.from(changed)),
    inside: new Uint8Array(width * height).fill(1),
    compared: new Float32Array(width * height).fill(1),
    covered: width * height,
  };
}

/** The mean of the absolute differences, of the pixels counts for. */
function apart(one: PlanesAt, other: PlanesAt, counts: (i: number) => boolean = () => true): number {
  let [sum, count] = [0, 0];
  const others = channelsOf(other, space);
  channelsOf(one, space).forEach((values, c) =>
    values.forEach((value, i) => {
      if (!counts(i)) return;
      sum += Math.abs(value - others[c][i]);
      count++;
    }),
  );
  return sum / count;
}

test('contrast and brightness are undone, each channel on its own', () => {
  const gain = fc.integer({ min: 6, max: 16 }).map((tenths) => tenths / 10);
  const offset = fc.integer({ min: -40, max: 40 });
  fc.assert(
    fc.property(gain, gain, offset, (first, second, shift) => {
      const other = warped((value, _x, _y, c) => (c === 0 ? first : second) * value + shift);
      assert.ok(apart(planes, matchLighting(planes, other, space)) < 1, `${first} ${second} ${shift}`);
    }),
    { numRuns: 25 },
  );
});

test('a quarter of the picture that shows something else does not pull', () => {
  const { width } = planes;
  const other = warped((value, x, y, c) => (x < 120 && y < 90 ? (c === 0 ? 255 - value : 60) : 0.8 * value + 20));
  const toned = matchLighting(planes, other, space);
  const right = (i: number): boolean => i % width >= 160;
  const [before, after] = [apart(planes, other, right), apart(planes, toned, right)];
  assert.ok(after < before / 4, `${before}, then ${after}`);
  assert.ok(apart(planes, toned, (i) => i % width < 100 && i < 70 * width) > 20, 'the other quarter stays different');
});

test('light that falls off a little towards a side is followed, a step of more than it may be is not', () => {
  const falling = warped((value, x, _y, c) => value - (c === 0 ? (8 * x) / 240 : 0));
  assert.ok(apart(planes, matchLighting(planes, falling, space)) < 0.7);
  const step = warped((value, x, _y, c) => value + (c === 0 && x >= 160 ? 40 : 0));
  const { width } = planes;
  const left = apart(planes, matchLighting(planes, step, space), (i) => i % width >= 200);
  assert.ok(left > 5, `${left}`);
});

test('nothing is done to the same picture', () => {
  const same = warped((value) => value);
  assert.ok(apart(planes, matchLighting(planes, same, space)) < 1e-3);
});
