import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cropped, doubled, moved, painted, photographs } from '../../../test/pictures.ts';
import { coreOf } from '../../../test/local-dna.ts';
import { openLocalDna } from '../../dna/local.ts';
import { Workspace } from '../../kernels/workspace.ts';
import type { Picture } from '../../pixels/picture.ts';
import { matchDna } from '../match/match-pair.ts';
import { describeLocally } from './describe.ts';
import { motionOf } from './motion.ts';
import { pyramid } from './pyramid.ts';

const workspace = new Workspace();
/** Of several directions and lengths. */
const motions = [
  [12, 0],
  [0, 9],
  [8, 8],
  [-14, 6],
  [5, -20],
] as const;

function motionIn(picture: Picture): readonly [number, number] | undefined {
  const mark = workspace.mark();
  const found = motionOf(
    pyramid(picture, 0, workspace).find(({ index }) => index === 0)!,
    workspace,
  );
  workspace.release(mark);
  return found;
}

test('a motion is found within a pixel', () => {
  for (const [i, [dx, dy]] of motions.entries()) {
    const found = motionIn(moved(photographs[i], dx, dy));
    assert.ok(found, `${dx}, ${dy} is not found`);
    const [x, y] = found;
    const off = Math.min(Math.hypot(x - dx, y - dy), Math.hypot(x + dx, y + dy));
    assert.ok(off < 1, `${x}, ${y} instead of ${dx}, ${dy}`);
  }
});

test('photographs and what is flat or small have none', () => {
  for (const picture of photographs) assert.equal(motionIn(picture), undefined);
  assert.equal(motionIn(doubled(photographs[0])), undefined);
  assert.equal(motionIn(painted(300, 200, () => [90, 90, 90])), undefined);
  assert.equal(motionIn(moved(cropped(photographs[0], 0, 0, 200, 127), 12, 0)), undefined);
});

test('a query that was taken in motion matches better, with the same core; others stay as they are', () => {
  const described = (picture: Picture, still: boolean): Uint8Array =>
    describeLocally(picture, 'mobile-query', { core: 420, all: 1800, finest: -2, still });
  const referenceOf = (picture: Picture): Uint8Array =>
    describeLocally(picture, 'mobile-reference', { core: 420, all: 420, finest: 0 });
  const [photograph] = photographs;
  assert.deepEqual(described(photograph, true), described(photograph, false));

  const blurred = moved(photograph, 26, 9);
  const [still, plain] = [true, false].map((still) => openLocalDna(described(blurred, still), ['mobile-query']));
  assert.deepEqual(coreOf(still), referenceOf(blurred));
  const reference = openLocalDna(referenceOf(photograph), ['mobile-reference']);
  const [now, before] = [still, plain].map((query) => matchDna(query, reference)?.placements[0].evidence ?? 0);
  assert.ok(now > 1.3 * before, `evidence ${now}, ${before} without`);
});
