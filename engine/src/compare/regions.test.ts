import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type RegionOptions, evened, regionsOf } from './regions.ts';

const [width, height] = [240, 180];

type Box = readonly [left: number, top: number, right: number, bottom: number];

/** A difference of this strength in boxes, none elsewhere. */
function drawn(boxes: readonly Box[], strength: number): Float32Array {
  return Float32Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return boxes.some(([left, top, right, bottom]) => x >= left && x < right && y >= top && y < bottom) ? strength : 0;
  });
}

function regionsIn(difference: Float32Array, circumstances?: RegionOptions) {
  return regionsOf(evened(difference, width, height), width, height, circumstances);
}

/** Evening by two pixels may let a box grow or shrink by so much. */
const EVENING_RADIUS = 2;

test('a planted box is one region, at its place', () => {
  const box = fc
    .tuple(fc.integer({ min: 5, max: 180 }), fc.integer({ min: 5, max: 130 }), fc.integer({ min: 15, max: 40 }))
    .map(([left, top, side]): Box => [left, top, left + side, top + side]);
  fc.assert(
    fc.property(box, fc.integer({ min: 30, max: 255 }), (box, strength) => {
      const { regions } = regionsIn(drawn([box], strength));
      assert.equal(regions.length, 1);
      const { left, top, right, bottom } = regions[0];
      [left, top, right, bottom].forEach((side, k) =>
        assert.ok(Math.abs(side - box[k]) <= EVENING_RADIUS, `${side}, ${box}`),
      );
      assert.ok(regions[0].strength <= strength && regions[0].strength > strength / 2);
    }),
    { numRuns: 30 },
  );
});

test('what is near is one region, what is far are two, the heavier one first', () => {
  const near = regionsIn(
    drawn(
      [
        [20, 20, 40, 40],
        [44, 20, 64, 40],
      ],
      80,
    ),
  );
  assert.equal(near.regions.length, 1);
  const far = regionsIn(
    drawn(
      [
        [20, 20, 40, 40],
        [100, 100, 140, 140],
      ],
      80,
    ),
  );
  assert.deepEqual(
    far.regions.map(({ left }) => Math.round(left / 20)),
    [5, 1],
  );
});

test('specks and faint differences are noise, however many or large they are', () => {
  const specks = Array.from({ length: 40 }, (_, i): Box => [6 * i, (37 * i) % 170, 6 * i + 1, ((37 * i) % 170) + 1]);
  assert.deepEqual(regionsIn(drawn(specks, 200)).regions, []);
  assert.deepEqual(regionsIn(drawn([[0, 0, width, height]], 13)).regions, []);
});

test('in a picture that was enlarged a region has to be as large in its own pixels', () => {
  const box: Box = [50, 50, 66, 66];
  const count = (enlarged: number): number => regionsIn(drawn([box], 40), { enlarged }).regions.length;
  assert.equal(count(1), 1);
  assert.equal(count(12), 0);
});

test('labels give each pixel its region by its place in the list', () => {
  const { regions, labels } = regionsIn(
    drawn(
      [
        [20, 20, 40, 40],
        [100, 100, 140, 140],
      ],
      80,
    ),
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

test('many boxes that run together over small gaps are separate regions, a box with its inner gaps is one', () => {
  const boxes = Array.from({ length: 12 }, (_, i): Box => {
    const [left, top] = [20 + 40 * (i % 4), 20 + 40 * Math.floor(i / 4)];
    return [left, top, left + 30, top + 20];
  });
  const bridge: Box = [20, 28, 170, 29];
  assert.equal(regionsIn(drawn(boxes, 80)).regions.length, 12);
  assert.equal(regionsIn(drawn([...boxes, bridge], 80)).regions.length > 6, true);
  const striped = Array.from({ length: 10 }, (_, i): Box => [40, 20 + 12 * i, 180, 20 + 12 * i + 9]);
  assert.equal(regionsIn(drawn(striped, 80)).regions.length, 1);
});

test('every pixel that differs stays in a region when a large one is taken apart', () => {
  const boxes: Box[] = [
    [20, 20, 60, 60],
    [64, 70, 110, 110],
    [61, 61, 66, 68],
    [115, 112, 170, 150],
  ];
  const { regions, labels } = regionsIn(drawn(boxes, 80));
  assert.ok(regions.length >= 2);
  for (const [left, top] of boxes) assert.notEqual(labels[(top + 2) * width + left + 2], 0, `${left}, ${top}`);
});

test('what differs in doubtful pixels alone is noise', () => {
  const doubtful = new Uint8Array(width * height).fill(1, 0, 60 * width);
  assert.equal(regionsIn(drawn([[20, 20, 40, 40]], 80), { doubtful }).regions.length, 0);
  assert.equal(regionsIn(drawn([[20, 20, 40, 70]], 80), { doubtful }).regions.length, 1);
});
