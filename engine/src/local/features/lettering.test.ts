import assert from 'node:assert/strict';
import { test } from 'node:test';
import { painted, pasted, photographs } from '../../../test/pictures.ts';
import { openLocalDna } from '../../dna/local.ts';
import { Workspace } from '../../kernels/workspace.ts';
import type { Picture } from '../../pixels/picture.ts';
import { describeLocally } from './describe.ts';
import { detected } from './keypoints.ts';
import { isLettered, LETTERING_LEVEL } from './lettering.ts';
import { pyramid } from './pyramid.ts';

const workspace = new Workspace();

/** White letters with a black rim: an upright and three bars. */
const letter = painted(24, 34, (x, y) => {
  const [u, v] = [x - 3, y - 3];
  const inside = (left: number, right: number, top: number, bottom: number): boolean =>
    u >= left && u < right && v >= top && v < bottom;
  const stroke = inside(0, 5, 0, 28) || [0, 11, 23].some((bar) => inside(0, 18, bar, bar + 5));
  return stroke ? [255, 255, 255] : [0, 0, 0];
});

/** Rows of letters over a picture. */
function captioned(picture: Picture, rows: readonly number[]): Picture {
  let all = picture;
  for (const row of rows)
    for (let x = 4; x + letter.width < picture.width; x += letter.width + 6) all = pasted(all, letter, x, row);
  return all;
}

function lettered(picture: Picture): boolean {
  const mark = workspace.mark();
  const level = pyramid(picture, 0, workspace).find(({ index }) => index === LETTERING_LEVEL);
  const found = level !== undefined && isLettered(detected(level, workspace), workspace);
  workspace.release(mark);
  return found;
}

test('photographs have no lettering, captions have', () => {
  for (const picture of photographs) {
    assert.equal(lettered(picture), false);
    assert.equal(lettered(captioned(picture, [10, 60, 110, 160])), true);
  }
});

test('a single letter and a picture without room for letters are no lettering', () => {
  assert.equal(lettered(pasted(photographs[0], letter, 20, 20)), false);
  assert.equal(lettered(painted(40, 30, (x) => [x, x, x])), false);
});

test('a query has more features where it has lettering, with the same core', () => {
  const few = { core: 340, all: 600, finest: -2 };
  const more = { ...few, lettered: 1200 };
  const count = (picture: Picture, richness: typeof few): number[] => {
    const dna = openLocalDna(describeLocally(picture, 'media-query', richness), ['media-query']);
    return [dna.core, dna.count];
  };
  const meme = captioned(photographs[0], [10, 60, 110, 160]);
  assert.deepEqual(count(photographs[0], more), count(photographs[0], few));
  const [[core, all], [ofFew, allOfFew]] = [count(meme, more), count(meme, few)];
  assert.equal(core, ofFew);
  assert.ok(all > 1000 && allOfFew <= 600, `${all} and ${allOfFew} features`);
});
