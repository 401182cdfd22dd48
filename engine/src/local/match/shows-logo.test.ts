import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridSketch, placesOfGrid, shownAsItIs } from '../../../test/grid-sketch.ts';
import type { Agreement } from './match-pair.ts';
import { showsLogo } from './shows-logo.ts';

/** The query is the reference; features of some places agree. */
function judged(found: readonly number[], evidence: number, overlap?: Parameters<typeof showsLogo>[3]): boolean {
  const agreements = found.map((i): Agreement => ({
    feature: i,
    query: placesOfGrid[i],
    reference: placesOfGrid[i],
    distance: 12,
  }));
  return showsLogo({ evidence, agreements }, gridSketch(), shownAsItIs(), overlap);
}

const everywhere = placesOfGrid.flatMap((_, i) => (i % 3 === 0 ? [i] : []));
const letters = [24, 25, 26, 27, 28, 29];
const same = { agreeing: 1, inside: 1, tonedInside: 0.8 };
const different = { agreeing: 0.3, inside: 0.05, tonedInside: 0.4 };

test('a logo of little evidence shows where the pictures agree around its features', () => {
  assert.equal(judged(everywhere, 1.8, same), true);
  assert.equal(judged(letters, 1.8, different), false);
});

test('much evidence is enough, and what is unknown of the miniatures decides nothing', () => {
  assert.equal(judged(letters, 8, different), true);
  assert.equal(judged(everywhere, 3), true);
  assert.equal(judged(letters, 1.5), false);
});
