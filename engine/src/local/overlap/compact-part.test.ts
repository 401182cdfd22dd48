import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Compared, compactPart } from './compact-part.ts';

const [width, height] = [12, 9];
type Cell = (x: number, y: number) => number;

const stripes: Cell = (x) => 4 * (x % 3);

/** Planes whose windows agree closely where `agrees` holds. */
function planes(one: Cell, other: Cell, agrees: (x: number, y: number) => boolean): Compared {
  const plane = (cell: Cell) =>
    Float64Array.from({ length: width * height }, (_, i) => cell(i % width, Math.floor(i / width)));
  return {
    width,
    height,
    one: plane(one),
    other: plane(other),
    correlation: plane((x, y) => (agrees(x, y) ? 0.9 : 0.2)),
    tone: { slope: 2, offset: 1, tolerance: 0.5 },
  };
}

const toned: Cell = (x, y) => 2 * stripes(x, y) + 1;

test('the largest rectangle that agrees and follows the tone is the part', () => {
  const isLeft = (x: number, y: number) => x < 6 && y >= 2 && y < 8;
  assert.equal(compactPart(planes(stripes, toned, isLeft)), 36);
  assert.equal(compactPart(planes(stripes, toned, (x, y) => isLeft(x, y) && !(x === 2 && y === 7))), 30);
  assert.equal(compactPart(planes(stripes, (x, y) => toned(x, y) + Number(y < 4), isLeft)), 24);
});

test('a narrow part, a plain one and none are nothing', () => {
  assert.equal(compactPart(planes(stripes, toned, (_, y) => y < 3)), 0);
  assert.equal(compactPart(planes(() => 4, () => 9, () => true)), 0); // prettier-ignore
  assert.equal(compactPart(planes(stripes, toned, () => false)), 0);
});
