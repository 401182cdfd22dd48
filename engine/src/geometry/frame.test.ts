import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { similarity, views } from '../../test/planted.ts';
import { area, boxAround, clipped, cornersOf, imageOf, type Point } from './frame.ts';
import type { Homography } from './homography.ts';

const frame = { width: 400, height: 300 };
const into = { width: 500, height: 360 };

test('the corners run clockwise from the upper left, around a positive area', () => {
  assert.deepEqual(cornersOf(frame), [
    [0, 0],
    [400, 0],
    [400, 300],
    [0, 300],
  ]);
  assert.equal(area(cornersOf(frame)), 120000);
  assert.equal(area(cornersOf(frame).reverse()), -120000);
  assert.equal(
    area([
      [0, 0],
      [10, 0],
      [0, 10],
    ]),
    50,
  );
});

test('what could be a picture is put where the map puts its corners', () => {
  assert.deepEqual(imageOf([1, 0, 20, 0, 1, 30, 0, 0, 1], frame, into), [
    [20, 30],
    [420, 30],
    [420, 330],
    [20, 330],
  ]);
  const possible: [string, Homography][] = [
    ['a right angle', similarity(64, 1, [200, 150], [250, 180])],
    ['upside down', similarity(128, 1, [200, 150], [250, 180])],
    ['a twentieth of the area', similarity(10, 0.25, [200, 150], [250, 180])],
    ['a small part of the reference', similarity(10, 10, [200, 150], [250, 180])],
    ['mostly beyond the frame', [1, 0, 350, 0, 1, 300, 0, 0, 1]],
    ['seen from the side', [1, 0, 0, 0, 1, 0, 1.5e-3, 0, 1]],
    ['squeezed to a third', [0.33, 0, 0, 0, 1, 0, 0, 0, 1]],
  ];
  for (const [what, map] of possible) assert.ok(imageOf(map, frame, into), what);
});

test('a map that no camera makes has no image', () => {
  const impossible: [string, Homography][] = [
    ['mirrored', [-1, 0, 400, 0, 1, 0, 0, 0, 1]],
    ['upside down mirrored', [1, 0, 0, 0, -1, 300, 0, 0, 1]],
    ['folded: a corner behind the viewer', [1, 0, 0, 0, 1, 0, -0.003, 0, 1]],
    ['folded: the horizon through a corner', [1, 0, 0, 0, 1, 0, -1 / 400, 0, 1]],
    ['collapsed to a line', [1, 0.5, 0, 2, 1, 0, 0, 0, 1]],
    ['collapsed to a spot', [0.01, 0, 100, 0, 0.01, 100, 0, 0, 1]],
    ['blown up', [30, 0, 0, 0, 30, 0, 0, 0, 1]],
    ['squeezed to a tenth', [0.1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['drawn out tenfold', [10, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['one side ten times the other', [1, 0, 0, 0, 1, 0, 0.0225, 0, 1]],
    ['sheared to nothing', [1, 40, 0, 0, 1, 0, 0, 0, 1]],
  ];
  for (const [what, map] of impossible) assert.equal(imageOf(map, frame, into), undefined, what);
});

test('a mirror image of any view is no image, the view is one', () => {
  fc.assert(
    fc.property(views(frame, into), (view) => {
      const image = imageOf(view, frame, into);
      assert.ok(image);
      assert.ok(area(image) > 0);
      const flipped = view.map((v, i) => (i % 3 === 0 ? -v : i % 3 === 2 ? v + frame.width * view[i - 2] : v));
      assert.equal(
        imageOf(
          flipped.map((v) => v / flipped[8]),
          frame,
          into,
        ),
        undefined,
      );
    }),
  );
});

test('a polygon is cut at the frame', () => {
  const cases: [string, Point[], Point[]][] = [
    [
      'inside',
      [
        [10, 10],
        [50, 10],
        [50, 40],
      ],
      [
        [10, 10],
        [50, 10],
        [50, 40],
      ],
    ],
    ['the frame itself', cornersOf(frame), cornersOf(frame)],
    [
      'around the frame',
      [
        [-100, -100],
        [900, -100],
        [900, 900],
        [-100, 900],
      ],
      cornersOf(frame),
    ],
    [
      'beyond the left',
      [
        [-90, 10],
        [-10, 10],
        [-10, 90],
      ],
      [],
    ],
    [
      'beyond the right',
      [
        [490, 10],
        [410, 10],
        [410, 90],
      ],
      [],
    ],
    [
      'above',
      [
        [10, -90],
        [90, -90],
        [90, -10],
      ],
      [],
    ],
    [
      'below',
      [
        [10, 390],
        [90, 390],
        [90, 310],
      ],
      [],
    ],
    [
      'across the right border',
      [
        [300, 100],
        [500, 100],
        [500, 200],
        [300, 200],
      ],
      [
        [300, 100],
        [400, 100],
        [400, 200],
        [300, 200],
      ],
    ],
    [
      'across a corner',
      [
        [-50, -50],
        [50, -50],
        [50, 50],
        [-50, 50],
      ],
      [
        [0, 0],
        [50, 0],
        [50, 50],
        [0, 50],
      ],
    ],
  ];
  for (const [what, polygon, expected] of cases) {
    const got = clipped(polygon, frame);
    const sorted = (points: readonly Point[]): string[] => points.map((p) => p.map((v) => v + 0).join()).sort();
    assert.deepEqual(sorted(got), sorted(expected), what);
    assert.equal(area(got), area(expected), what);
  }
});

test('what is left lies inside both, and has the area that counting pixels gives', () => {
  fc.assert(
    fc.property(views(frame, into), (view) => {
      const image = imageOf(view, frame, into)!;
      const left = clipped(image, into);
      for (const [x, y] of left) {
        assert.ok(x >= -1e-6 && y >= -1e-6 && x <= into.width + 1e-6 && y <= into.height + 1e-6, `${x}, ${y}`);
        assert.ok(inside(image, x, y, 1e-4), `(${x}, ${y}) outside the polygon`);
      }
      let pixels = 0;
      for (let y = 2; y < into.height; y += 4)
        for (let x = 2; x < into.width; x += 4) if (inside(image, x, y, 0)) pixels += 16;
      assert.ok(Math.abs(area(left) - pixels) < 0.02 * pixels + 2000, `area ${area(left)}, ${pixels} pixels`);
    }),
    { numRuns: 40 },
  );
});

test('a box is given in fractions with four decimals, never beyond the frame', () => {
  assert.deepEqual(
    boxAround(
      [
        [100, 30],
        [200, 100],
        [133.333, 299.99],
      ],
      frame,
    ),
    { topLeftPoint: [0.25, 0.1], bottomRightPoint: [0.5, 1] },
  );
  assert.deepEqual(boxAround([[133.333, 100]], frame), {
    topLeftPoint: [0.3333, 0.3333],
    bottomRightPoint: [0.3333, 0.3333],
  });
  assert.deepEqual(
    boxAround(
      [
        [-20, -1e-9],
        [500, 301],
      ],
      frame,
    ),
    { topLeftPoint: [0, 0], bottomRightPoint: [1, 1] },
  );
});

/** Whether a clockwise convex polygon holds a point, up to a distance times the side's length. */
function inside(polygon: readonly Point[], x: number, y: number, slack: number): boolean {
  return polygon.every(([ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= -slack * Math.hypot(bx - ax, by - ay);
  });
}
