import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridSketch, placesOfGrid, reference, shownAsItIs } from '../../../test/grid-sketch.ts';
import type { Overlap } from '../overlap/overlap.ts';
import type { Agreement } from './match-pair.ts';
import { showsAnotherThing, showsLogo } from './shows-logo.ts';

interface Scene {
  readonly overlap?: Parameters<typeof showsLogo>[3];
  /** Width of the query, which begins where the reference does. */
  readonly width?: number;
}

/** The query is the reference, or its left part; features of some places agree. */
function judged(found: readonly number[], evidence: number, scene: Scene = {}): boolean {
  const { overlap, width = reference.width } = scene;
  const agreements = found.map((i): Agreement => {
    return { feature: i, query: placesOfGrid[i], reference: placesOfGrid[i], distance: 12 };
  });
  const shown = { ...shownAsItIs(), query: { ...reference, width } };
  return showsLogo({ evidence, agreements }, gridSketch(), shown, overlap);
}

const everywhere = placesOfGrid.flatMap((_, i) => (i % 3 === 0 ? [i] : []));
const times = (each: number, places: readonly number[]) => Array.from({ length: each }, () => places).flat();
const letters = times(3, [24, 25, 26, 27, 28, 29, 30, 31]);
const same = { agreeing: 1, inside: 1, tonedInside: 0.8 };
const different = { agreeing: 0.3, inside: 0.05, tonedInside: 0.4 };

test('a logo of little evidence shows where the pictures agree around its features', () => {
  assert.equal(judged(everywhere, 1.8, { overlap: same }), true);
  assert.equal(judged(letters, 1.8, { overlap: different }), false);
});

test('much evidence is enough, and what is unknown of the miniatures decides nothing', () => {
  assert.equal(judged(letters, 8, { overlap: different }), true);
  assert.equal(judged(everywhere, 3), true);
  assert.equal(judged(letters, 1.5), false);
});

test('a logo that lies outside of the picture in part needs more evidence', () => {
  const left = times(6, [24, 25, 26, 27]);
  assert.equal(judged(left, 3), true);
  assert.equal(judged(left, 3, { width: reference.width / 2 }), false);
});

test('the same evidence says less where it is that of more features, or of scattered ones', () => {
  const [compact, corners] = [
    [18, 20, 34, 36],
    [0, 7, 56, 63],
  ];
  assert.deepEqual([judged(compact, 1.5), judged(times(6, compact), 1.5)], [true, false]);
  assert.deepEqual([judged(times(6, compact), 2.5), judged(times(6, corners), 2.5)], [true, false]);
});

/** Of the grid of 8 by 8 places. */
const rim = placesOfGrid.flatMap((_, i) => ([0, 7].includes(i % 8) || i < 8 || i > 55 ? [i] : []));

/** The query is the reference, on a ground of so many times its width and height; features of some places agree. */
function isAnotherThing(found: readonly number[], agreeing: number, times = 1): boolean {
  const agreements = found.map((feature): Agreement => {
    return { feature, query: placesOfGrid[feature], reference: placesOfGrid[feature], distance: 6 };
  });
  const shown = shownAsItIs();
  const query = { width: times * reference.width, height: times * reference.height };
  const placement = { homography: shown.map, inliers: [], evidence: 8, possible: true, mirrored: false, agreements };
  return showsAnotherThing(placement, gridSketch(), { ...shown, query }, overlapThat(agreeing));
}

/** Of each cell that has texture, this share agrees and the rest contradicts. */
function overlapThat(agreeing: number): Overlap {
  const contradicting = 1 - agreeing;
  const shares = { agreeingShare: agreeing, contradictingShare: contradicting, agreeingAround: agreeing };
  const [width, height] = [10, 10];
  const agrees = new Uint8Array(width * height).fill(Math.round(agreeing));
  const contradiction = {
    width,
    height,
    agrees,
    agreeing,
    contradicting,
    ...shares,
    contradictingInside: contradicting,
    agreeingLevels: 0.5,
    contradictingLevels: 0.5,
  };
  const same = { agreeing, inside: agreeing, toned: agreeing, tonedInside: agreeing, equal: agreeing, compact: 0 };
  const bounds = { ofReference: true, left: 0, top: 0, right: 1, bottom: 1 };
  return { ...same, apart: contradicting, cells: 100, covered: 1, contradiction, bounds };
}

test('what takes most of the picture and differs in much of it is another thing, and no mark in a scene', () => {
  const all = placesOfGrid.map((_, i) => i);
  assert.equal(isAnotherThing(all, 1), false);
  assert.equal(isAnotherThing(rim, 0.5), true);
  assert.equal(isAnotherThing(rim, 0.5, 2), false);
});
