import assert from 'node:assert/strict';
import { test } from 'node:test';
import { photographs, toned } from '../../../test/pictures.ts';
import { keypointsOf, type LocalDna, openLocalDna } from '../../dna/local.ts';
import type { Picture } from '../../pixels/picture.ts';
import { describeLocally } from './describe.ts';
import { invertedCodes } from './inverted.ts';

const described = (picture: Picture): LocalDna =>
  openLocalDna(describeLocally(picture, 'media-reference', { core: 200, all: 200, finest: 0 }), ['media-reference']);

/** Half levels, squared, by which two features' codes differ on the average axis. */
function apart(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  one.forEach((byte, j) => {
    for (const shift of [0, 4]) sum += (((byte >> shift) & 15) - ((other[j] >> shift) & 15)) ** 2;
  });
  return sum / 64;
}

test('the codes of the inverted picture are computed from its own', () => {
  for (const picture of photographs.slice(0, 3)) {
    const [dna, inverted] = [picture, toned(picture, -1, 255)].map(described);
    const [mine, theirs] = [dna, inverted].map(keypointsOf);
    const codes = invertedCodes(dna.codes, dna.count);
    const code = (all: Uint8Array, i: number): Uint8Array => all.subarray(32 * i, 32 * i + 32);
    let [same, near, plain] = [0, 0, 0];
    for (let i = 0; i < dna.count; i++) {
      for (let k = 0; k < inverted.count; k++) {
        const rotation = (theirs.angle[k] - mine.angle[i] + 256) & 255;
        const here = Math.hypot(mine.x[i] - theirs.x[k], mine.y[i] - theirs.y[k]) < 0.1;
        if (!here || mine.level[i] !== theirs.level[k] || Math.abs(rotation - 128) > 2) continue;
        same++;
        if (apart(code(codes, i), code(inverted.codes, k)) < 2) near++;
        if (apart(code(dna.codes, i), code(inverted.codes, k)) < 2) plain++;
      }
    }
    assert.ok(same > 100, `${same} features of ${dna.count} are the same with opposite angles`);
    assert.ok(near > 0.9 * same && plain < 0.1 * same, `${near} of ${same} are near, ${plain} without inverting`);
  }
});

test('inverted twice they are unchanged, but for rounding', () => {
  const { codes, count } = described(photographs[0]);
  const back = invertedCodes(invertedCodes(codes, count), count);
  const off = Array.from({ length: count }, (_, i) =>
    apart(codes.subarray(32 * i, 32 * i + 32), back.subarray(32 * i)),
  );
  assert.ok(Math.max(...off) < 3, `${Math.max(...off)}`);
});
