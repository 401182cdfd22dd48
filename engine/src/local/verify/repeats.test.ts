import assert from 'node:assert/strict';
import { test } from 'node:test';
import { align } from './alignment.ts';
import { Effort } from './effort.ts';
import { alignRepeated, repeatsItself } from './repeats.ts';
import { emptyTentative, type Tentative } from './tentative.ts';

const frame = { width: 500, height: 400 };
interface Pair {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly distance: number;
}

function pairsOf(pairs: readonly Pair[]): Tentative {
  const all = emptyTentative(pairs.length);
  const numbers = new Map<string, number>();
  pairs.forEach(({ from, to, distance }, i) => {
    const feature = numbers.get(to.join()) ?? numbers.size;
    numbers.set(to.join(), feature);
    all.feature[i] = feature;
    all.distance[i] = distance;
    [all.rx[i], all.ry[i]] = from;
    [all.qx[i], all.qy[i]] = to;
    all.rScale[i] = all.qScale[i] = 1;
  });
  return all;
}

/** Each place of a grid around the middle with each other one. */
function lattice(moved: number): Pair[] {
  const places = Array.from({ length: 81 }, (_, i) => [150 + 20 * (i % 9), 120 + 20 * Math.floor(i / 9)] as const);
  return places.flatMap((from) => places.map(([x, y]): Pair => ({ from, to: [x + moved, y], distance: 16 })));
}

function judged(pairs: readonly Pair[]) {
  const all = pairsOf(pairs);
  const alignment = align(all, frame, frame);
  assert.ok(alignment);
  return alignRepeated({ pairs: all, alignment }, frame, frame, new Effort()).alignment;
}

test('a pattern that lies on the other as a whole is listed, but is no match', () => {
  const { evidence, ambiguous } = judged(lattice(0));
  assert.ok(evidence >= 2 && evidence < 3, String(evidence));
  assert.equal(ambiguous, true);
});

test('a pattern that shows aside only is not listed', () => {
  assert.ok(judged(lattice(400)).evidence < 2);
});

/** Correspondences that have no others beside them. */
function photograph(count: number, distance: number): Pair[] {
  return Array.from({ length: count }, (_, i): Pair => {
    const from = [10 + ((i * 37) % 120), 5 + ((i * 53) % 390)] as const;
    return { from, to: [from[0] + 10, from[1] + 10], distance };
  });
}

test('what does not repeat itself decides', () => {
  const { evidence, ambiguous, homography, inliers } = judged([...lattice(0), ...photograph(24, 6)]);
  assert.ok(evidence >= 3, String(evidence));
  assert.notEqual(ambiguous, true);
  assert.ok(inliers.length === 24);
  assert.ok(Math.abs(homography[2] - 10) < 1 && Math.abs(homography[5] - 10) < 1);
});

test('nine correspondences that do not repeat themselves decide nothing, ten do', () => {
  assert.equal(judged([...lattice(0), ...photograph(9, 0)]).ambiguous, true);
  assert.notEqual(judged([...lattice(0), ...photograph(10, 0)]).ambiguous, true);
});

test('a picture with few features repeats itself if each has many correspondences', () => {
  const of = (count: number, features: number) => ({
    count,
    feature: Uint16Array.from({ length: count }, (_, i) => i % features),
  });
  assert.deepEqual([of(1000, 125), of(1000, 126), of(999, 50), of(4999, 2000), of(5000, 2000)].map(repeatsItself), [
    true,
    false,
    false,
    false,
    true,
  ]);
});
