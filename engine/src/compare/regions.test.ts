import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { regionsOf } from './regions.ts';

const [width, height] = [240, 180];

type Box = readonly [left: number, top: number, right: number, bottom: number];

/** A difference of this strength in boxes, none elsewhere. */
function drawn(boxes: readonly Box[], strength: number): Float32Array {
  return Float32Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return boxes.some(([left, top, right, bottom]) => x >= left && x < right && y >= top && y < bottom) ? strength : 0;
  });
}

/** Evening by two pixels may let a box grow or shrink by so much. */
const EVENED = 2;

test('a planted box is one region, at its place', () => {
  const box = fc
    .tuple(fc.integer({ min: 5, max: 180 }), fc.integer({ min: 5, max: 130 }), fc.integer({ min: 15, max: 40 }))
    .map(([left, top, side]): Box => [left, top, left + side, top + side]);
  fc.assert(
    fc.property(box, fc.integer({ min: 30, max: 255 }), (box, strength) => {
      const { regions } = regionsOf(drawn([box], strength), width, height);
      assert.equal(regions.length, 1);
      const { left, top, right, bottom } = regions[0];
      [left, top, right, bottom].forEach((side, k) => assert.ok(Math.abs(side - box[k]) <= EVENED, `${side}, ${box}`));
      assert.ok(regions[0].strength <= strength && regions[0].strength > strength / 2);
    }),
    { numRuns: 30 },
  );
});

test('what is near is one region, what is far are two, the heavier one first', () => {
  const near = regionsOf(
    drawn(
      [
        [20, 20, 40, 40],
        [44, 20, 64, 40],
      ],
      80,
    ),
    width,
    height,
  );
  assert.equal(near.regions.length, 1);
  const far = regionsOf(
    drawn(
      [
        [20, 20, 40, 40],
        [100, 100, 140, 140],
      ],
      80,
    ),
    width,
    height,
  );
  assert.deepEqual(
    far.regions.map(({ left }) => Math.round(left / 20)),
    [5, 1],
  );
});

test('specks and faint differences are noise, however many or large they are', () => {
  const specks = Array.from({ length: 40 }, (_, i): Box => [6 * i, (37 * i) % 170, 6 * i + 1, ((37 * i) % 170) + 1]);
  assert.deepEqual(regionsOf(drawn(specks, 200), width, height).regions, []);
  assert.deepEqual(regionsOf(drawn([[0, 0, width, height]], 13), width, height).regions, []);
});

test('in a picture that was enlarged a region has to be as large in its own pixels', () => {
  const box: Box = [50, 50, 66, 66];
  const count = (enlarged: number): number => regionsOf(drawn([box], 40), width, height, enlarged).regions.length;
  assert.equal(count(1), 1);
  assert.equal(count(12), 0);
});

test('labels give each pixel its region by its place in the list', () => {
  const { regions, labels } = regionsOf(
    drawn(
      [
        [20, 20, 40, 40],
        [100, 100, 140, 140],
      ],
      80,
    ),
    width,
    height,
  );
  assert.equal(labels[120 * width + 120], 1);
  assert.equal(labels[30 * width + 30], 2);
  assert.equal(labels[70 * width + 70], 0);
  regions.forEach(({ area }, place) =>
    assert.equal(
      labels.reduce((sum, label) => sum + Number(label === place + 1), 0),
      area,
    ),
  );
});
