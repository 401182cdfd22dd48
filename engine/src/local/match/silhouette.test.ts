import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Miniature, miniatureSize, packMiniature } from '../../dna/miniature.ts';
import type { Point } from '../../geometry/frame.ts';
import type { Agreement } from './match-pair.ts';
import { silhouetteShare } from './silhouette.ts';

const frame = { width: 480, height: 480 };

/** A picture whose cells have these greys, from column and row. */
function pictureOf(grey: (x: number, y: number) => number) {
  const { width, height } = miniatureSize(frame);
  const luma = Float32Array.from({ length: width * height }, (_, i) => grey(i % width, Math.floor(i / width)));
  const miniature: Miniature = packMiniature({ width, height }, luma);
  return { ...frame, miniature };
}

/** A dark square from the 12th to the 36th of 48 cells; in its middle is a hole as bright as the ground. */
const isThing = (x: number, y: number): boolean => Math.min(x, y) >= 12 && Math.max(x, y) < 36;
const isHole = (x: number, y: number): boolean => Math.min(x, y) >= 22 && Math.max(x, y) < 26;
const thing = pictureOf((x, y) => (isThing(x, y) && !isHole(x, y) ? 0 : 15));
const inScene = pictureOf((x, y) => (isThing(x, y) ? 0 : (7 * x + 5 * y) % 16));

const agreementAt = ([x, y]: Point): Agreement => ({ feature: 0, query: [x, y], reference: [x, y], distance: 10 });
const [atOutline, within, atHole] = [agreementAt([125, 200]), agreementAt([160, 200]), agreementAt([215, 240])];

test('features beside the plain ground of both pictures are a silhouette', () => {
  assert.equal(silhouetteShare({ agreements: [atOutline] }, thing, thing), 1);
  assert.equal(silhouetteShare({ agreements: [atOutline, within, within, within] }, thing, thing), 0.25);
  assert.equal(silhouetteShare({ agreements: [] }, thing, thing), 0);
});

test('what is as bright as the ground within a thing is no ground', () => {
  assert.equal(silhouetteShare({ agreements: [atHole] }, thing, thing), 0);
});

test('a thing in a scene has no silhouette, on either side', () => {
  assert.equal(silhouetteShare({ agreements: [atOutline] }, thing, inScene), 0);
  assert.equal(silhouetteShare({ agreements: [atOutline] }, inScene, thing), 0);
});

test('ground of three quarters of the rim is plain, of two thirds it is none', () => {
  const beside = (share: number) =>
    pictureOf((x, y) =>
      isThing(x, y) || (y < 2 && x < 4 * 48 * (1 - share)) || (y > 45 && x < 4 * 48 * (1 - share) - 48) ? 0 : 15,
    );
  assert.equal(silhouetteShare({ agreements: [atOutline] }, beside(0.76), thing), 1);
  assert.equal(silhouetteShare({ agreements: [atOutline] }, beside(0.62), thing), 0);
});
