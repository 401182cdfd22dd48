import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cropped, halved, mirrored, painted, photographs, rotated, toned } from '../../test/pictures.ts';
import type { Picture } from '../pixels/picture.ts';
import { compare } from './compare.ts';

/** Small, since a comparison takes time by the pixel. */
const photograph = cropped(photographs[0], 60, 30, 256, 170);

/** The picture with a flat rectangle over it. */
function patched(
  picture: Picture,
  left: number,
  top: number,
  width: number,
  height: number,
  colour: number[],
): Picture {
  return painted(picture.width, picture.height, (x, y) => {
    const at = 3 * (y * picture.width + x);
    const inside = x >= left && x < left + width && y >= top && y < top + height;
    return inside ? colour : [...picture.rgb.subarray(at, at + 3)];
  });
}

/** A fifth of the light is lost in the corners. */
function darkerOutside(picture: Picture): Picture {
  const { width, height, rgb } = picture;
  return painted(width, height, (x, y) => {
    const [u, v] = [(2 * x) / width - 1, (2 * y) / height - 1];
    return [...rgb.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)].map((c) => c * (1 - 0.1 * (u * u + v * v)));
  });
}

function grey({ width, height, rgb }: Picture): Picture {
  return painted(width, height, (x, y) => {
    const [r, g, b] = rgb.subarray(3 * (y * width + x));
    return new Array(3).fill(0.299 * r + 0.587 * g + 0.114 * b);
  });
}

const changed = patched(photograph, 80, 60, 50, 40, [20, 220, 60]);

test('a picture does not differ from itself', () => {
  const found = compare(photograph, photograph)!;
  assert.equal(found.score, 0);
  assert.deepEqual(found.regions, []);
  assert.deepEqual(found.reference.rgb, photograph.rgb);
});

test('size, light, a crop and a rotation are no differences', () => {
  const { width, height } = photograph;
  const edits: [string, Picture][] = [
    ['half the size', halved(photograph)],
    ['paler', toned(photograph, 0.8, 30)],
    ['cropped', cropped(photograph, 20, 15, width - 40, height - 30)],
    ['rotated', rotated(photograph)],
    ['mirrored', mirrored(photograph)],
    ['darker towards the sides', darkerOutside(photograph)],
    ['in grey', grey(photograph)],
  ];
  for (const [name, edited] of edits) {
    assert.deepEqual(compare(photograph, edited)?.regions, [], name);
    assert.deepEqual(compare(edited, photograph)?.regions, [], `${name}, the other way`);
  }
});

test('a patch is found where it is, in both pictures, also rotated by a right angle', () => {
  const { width, height } = photograph;
  const straight = [80 / width, 60 / height, 130 / width, 100 / height];
  const [left, top, right, bottom] = straight;
  const quarter = [1 - bottom, left, 1 - top, right];
  for (const [query, there] of [
    [changed, straight],
    [rotated(changed), quarter],
  ] as const) {
    const found = compare(photograph, query)!;
    assert.equal(found.regions.length, 1);
    const [region] = found.regions;
    assertNear([...region.reference.topLeftPoint, ...region.reference.bottomRightPoint], straight);
    assertNear([...region.query.topLeftPoint, ...region.query.bottomRightPoint], there);
  }
});

test('something red on a grey page is a difference', () => {
  const page = grey(photograph);
  const found = compare(page, patched(page, 80, 60, 50, 40, [220, 40, 40]))!;
  assert.equal(found.regions.length, 1);
  assert.ok(found.regions[0].strength > 0.1, `${found.regions[0].strength}`);
});

/** The picture with a colour wherever the distance to the side is below the depth. */
function striped(picture: Picture, colourAt: (x: number, y: number) => number[] | undefined): Picture {
  const { width, height, rgb } = picture;
  return painted(
    width,
    height,
    (x, y) => colourAt(x, y) ?? [...rgb.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)],
  );
}

test('a plain strip along a side is no difference but a strip, and a change beside it stays a region', () => {
  const { width, height } = photograph;
  const rims: [string, (x: number, y: number) => boolean, number[]][] = [
    ['left', (x) => x < 14, [250, 250, 250]],
    ['right, oblique', (x, y) => width - x < 8 + 0.03 * y, [4, 4, 4]],
    ['below', (_, y) => height - y < 10, [128, 128, 128]],
  ];
  for (const [name, within, colour] of rims) {
    const strip = (x: number, y: number) => (within(x, y) ? colour : undefined);
    for (const [one, other] of [
      [photograph, striped(photograph, strip)],
      [striped(photograph, strip), photograph],
    ] as const) {
      const found = compare(one, other)!;
      assert.deepEqual(found.regions, [], name);
      assert.equal(found.strips.length, 1, name);
      assert.equal(found.score, 0);
    }
    const found = compare(photograph, striped(changed, strip))!;
    assert.equal(found.regions.length, 1, name);
    assertNear([...found.regions[0].reference.topLeftPoint], [80 / width, 60 / height]);
  }
});

test('a frame around one picture is four strips, whatever its pattern', () => {
  const { width, height } = photograph;
  for (const patterned of [false, true]) {
    const frame = striped(photograph, (x, y) => {
      const rim = Math.min(x, y, width - 1 - x, height - 1 - y) < 20;
      return rim ? [200, patterned && (x + y) % 16 < 8 ? 40 : 160, 60] : undefined;
    });
    const found = compare(photograph, frame)!;
    assert.deepEqual(found.regions, []);
    assert.equal(found.strips.length, 4);
  }
});

test('what is added along a part of a side, or removed along all of it, is a difference', () => {
  const { height } = photograph;
  const bar = striped(photograph, (x, y) => (height - y < 14 && x > 40 && x < 140 ? [250, 250, 250] : undefined));
  assert.equal(compare(photograph, bar)!.regions.length, 1);
  const caption = striped(photograph, (x, y) =>
    height - y < 24 ? ((x >> 2) % 3 === 0 && (y >> 2) % 2 === 0 ? [0, 0, 0] : [255, 255, 255]) : undefined,
  );
  assert.equal(compare(photograph, caption)!.regions.length, 1);
});

test('the score rises with the area and with the strength of a difference', () => {
  const scoreOf = (size: number, colour: number[]): number =>
    compare(photograph, patched(photograph, 80, 60, size, size, colour))!.score;
  const small = scoreOf(30, [20, 220, 60]);
  assert.ok(small > 0);
  assert.ok(scoreOf(60, [20, 220, 60]) > small);
  assert.ok(scoreOf(30, [0, 255, 0]) > small);
});

test('what differs is marked in both pictures and nothing far from it is touched', () => {
  const found = compare(photograph, changed)!;
  const { width } = photograph;
  const touched = (marked: Picture, original: Picture, x: number, y: number): boolean =>
    [0, 1, 2].some((c) => marked.rgb[3 * (y * width + x) + c] !== original.rgb[3 * (y * width + x) + c]);
  assert.ok(touched(found.reference, photograph, 105, 80));
  assert.ok(touched(found.query, changed, 105, 80));
  assert.ok(!touched(found.reference, photograph, 20, 20));
  assert.ok(!touched(found.query, changed, width - 20, 20));
});

test('pictures of different things cannot be warped on each other', () => {
  assert.equal(compare(photographs[0], photographs[1]), undefined);
  assert.equal(compare(photographs[2], photographs[3]), undefined);
});

test('tiny and plain pictures lie side on side', () => {
  const square = (colour: number[]) =>
    painted(20, 20, (x, y) => (x > 5 && x < 14 && y > 5 && y < 14 ? colour : [255, 255, 255]));
  assert.equal(compare(square([0, 0, 0]), square([0, 0, 0]))!.score, 0);
  assert.ok(compare(square([0, 0, 0]), square([255, 0, 255]))!.score > 0);
});

/** Within five pixels. */
function assertNear(actual: readonly number[], expected: readonly number[]): void {
  const near = 5 / photograph.height;
  actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < near, `${actual}, expected ${expected}`));
}
