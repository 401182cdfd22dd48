import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blankMiniature } from '../../../test/local-dna.ts';
import { painted, photographs, toned } from '../../../test/pictures.ts';
import { type Colours, coloursOf } from '../../dna/colours.ts';
import { finished } from '../../steps.ts';
import type { Picture } from '../../pixels/picture.ts';
import { mobileMatching } from '../../types/mobile-matching.ts';
import { hasOtherColours } from './other-colours.ts';

const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;

/** A print on white: fields of a colour, and one of grey. */
function print(colour: readonly number[], light: readonly number[] = [1, 1, 1]): Picture {
  return painted(240, 240, (x, y) => {
    const field = (x >> 5) % 2 === (y >> 5) % 2;
    const own = field ? (y < 160 ? colour : [120, 120, 120]) : [245, 245, 245];
    return own.map((value, channel) => value * light[channel]);
  });
}

function sideOf(picture: Picture, colours: Colours | undefined = coloursOf(picture)) {
  const { width, height } = picture;
  return { width, height, miniature: { ...blankMiniature(picture), colours } };
}

const red = [200, 30, 40];
const green = [20, 130, 60];

test('a print in another colour has other colours, in any light', () => {
  const light = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: 0.55, max: 1, noNaN: true })));
  fc.assert(
    fc.property(light, (shade) => {
      const seen = (picture: Picture, shown: Picture) => hasOtherColours(identity, sideOf(picture), sideOf(shown));
      assert.ok(seen(print(red), print(green, shade)));
      assert.ok(seen(print(green), print(red, shade)));
      assert.ok(!seen(print(red), print(red, shade)));
      assert.ok(!seen(print(green), print(green, shade)));
    }),
    { numRuns: 40 },
  );
});

test('greys, few coloured cells, another place and a DNA without colours say nothing', () => {
  const grey = print([90, 90, 90]);
  const one = sideOf(print(red));
  assert.ok(!hasOtherColours(identity, one, sideOf(grey)), 'a photograph in grey');
  assert.ok(!hasOtherColours(identity, sideOf(grey), one), 'a print in grey');
  const dot = (colour: readonly number[]) => painted(240, 240, (x, y) => (x < 20 && y < 20 ? colour : [200, 200, 200]));
  assert.ok(!hasOtherColours(identity, sideOf(dot(red)), sideOf(dot(green))));
  assert.ok(!hasOtherColours([1, 0, 900, 0, 1, 0, 0, 0, 1], one, sideOf(print(green))), 'beside the picture');
  const other = { ...sideOf(print(green)), miniature: blankMiniature(print(green)) };
  assert.ok(!hasOtherColours(identity, one, other));
});

test('Mobile Matching answers a print in other colours as the same design, and the same print in warm light as a match', () => {
  const picture = photographs[0];
  const coloured = (shares: readonly number[]): Picture =>
    painted(picture.width, picture.height, (x, y) => {
      const at = 3 * (y * picture.width + x);
      const luma = (picture.rgb[at] + picture.rgb[at + 1] + picture.rgb[at + 2]) / 3;
      const strong = (x >> 6) % 2 === 0;
      return shares.map((share) => luma * (strong ? share : 1));
    });
  const partition = mobileMatching.createPartition();
  partition.add(1, mobileMatching.describe(coloured([1, 0.3, 0.3]), 'reference'));
  const found = (shown: Picture) =>
    finished(partition.verify(mobileMatching.describe(shown, 'query'), [1], {})).verdicts[0]?.resultInfo as {
      decision: string;
      relation?: string;
    };
  assert.match(found(toned(coloured([1, 0.3, 0.3]), 0.8, 10)).decision, /Clone|Match/);
  const other = found(coloured([0.3, 1, 0.4]));
  assert.match(other.decision, /Rejection/);
  assert.equal(other.relation, 'same design');
});
