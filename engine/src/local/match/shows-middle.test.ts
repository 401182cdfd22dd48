import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridSketch, placesOfGrid, reference, shownAsItIs } from '../../../test/grid-sketch.ts';
import type { Agreement } from './match-pair.ts';
import { showsMiddle } from './shows-middle.ts';

interface Seen {
  readonly displaced?: number;
  readonly overlap?: Parameters<typeof showsMiddle>[3];
}

/** The query is the reference, with two features in each place; features of some places agree, and some under a displaced map. */
function judged(
  isFound: (x: number, y: number) => boolean,
  evidence: number,
  { displaced = 0, overlap }: Seen = {},
): boolean {
  const found = placesOfGrid.flatMap(([x, y], i) => (isFound(x, y) ? [i] : []));
  const agreements = found.map((i): Agreement => {
    return { feature: i, query: placesOfGrid[i], reference: placesOfGrid[i], distance: 12 };
  });
  const chance = { support: 2 * evidence, displaced };
  return showsMiddle({ evidence, agreements, chance }, gridSketch(), shownAsItIs(2), overlap);
}

const isRim = (x: number, y: number): boolean =>
  Math.min(x / reference.width, y / reference.height, 1 - x / reference.width, 1 - y / reference.height) < 0.15;

test('a print shows by features of its middle', () => {
  assert.equal(
    judged(() => true, 8),
    true,
  );
  assert.equal(
    judged((x) => x < 220, 8),
    true,
  );
});

test('a frame is no print, however much evidence it has', () => {
  const overlap = { inside: 0.1, middle: { alike: 0.1, around: 0.9 } };
  assert.equal(judged(isRim, 20), false);
  assert.equal(judged(isRim, 100, { overlap }), false);
});

test('little evidence needs more of the middle', () => {
  const half = (x: number, y: number): boolean => x < 170 || isRim(x, y);
  assert.equal(judged(half, 8), true);
  assert.equal(judged(half, 1.6), false);
});

test('outlines that agree with a displaced map, too, are no print', () => {
  const left = (x: number): boolean => x < 220;
  assert.equal(judged(left, 8, { displaced: 1 }), true);
  assert.equal(judged(left, 8, { displaced: 4 }), false);
});
