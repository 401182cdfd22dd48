import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairEdits } from './pair-edits.ts';

const [WIDTH, HEIGHT] = [200, 150];
const same = [1, 0, 0, 0, 1, 0, 0, 0, 1];

interface Raster {
  width: number;
  height: number;
  rgb: Uint8Array;
}

function drawn(width: number, height: number, luma: (x: number, y: number) => number): Raster {
  const rgb = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rgb.fill(Math.round(luma(x, y)), 3 * (y * width + x), 3 * (y * width + x) + 3);
  return { width, height, rgb };
}

const texture = (x: number, y: number): number =>
  128 + 50 * Math.sin(x / 3) + 40 * Math.sin(y / 4) + 20 * Math.sin((x + 2 * y) / 7);
const original = drawn(WIDTH, HEIGHT, texture);

test('the same picture twice was not edited', () => {
  for (const { beyond, differing, seam } of pairEdits(original, original, same))
    assert.deepEqual([beyond, differing, seam], [0, 0, 0]);
});

test('a patch has an edge all around in the picture that was edited, and none in the original', () => {
  const patched = drawn(WIDTH, HEIGHT, (x, y) => (x >= 60 && x < 110 && y >= 40 && y < 80 ? 255 : texture(x, y)));
  const [before, after] = pairEdits(original, patched, same);
  assert.ok(Math.abs(after.differing - (50 * 40) / (WIDTH * HEIGHT)) < 0.03, `${after.differing}`);
  assert.ok(after.seam > before.seam + 40, `${after.seam}, ${before.seam} in the original`);
  const [first, second] = pairEdits(patched, original, same);
  assert.ok(first.seam > second.seam + 40);
});

test('a border lies beyond the original, is plain, and begins at an edge', () => {
  const rim = 15;
  const bordered = drawn(WIDTH + 2 * rim, HEIGHT + 2 * rim, (x, y) =>
    x < rim || y < rim || x >= WIDTH + rim || y >= HEIGHT + rim ? 250 : texture(x - rim, y - rim),
  );
  const [across, down] = [WIDTH / bordered.width, HEIGHT / bordered.height];
  const map = [across, 0, rim / bordered.width, 0, down, rim / bordered.height, 0, 0, 1];
  const [before, after] = pairEdits(original, bordered, map);
  assert.ok(before.beyond < 0.01 && Math.abs(after.beyond - (1 - across * down)) < 0.02);
  assert.ok(after.plain > 0.7 && after.outline > 40, JSON.stringify(after));
});

test('what a crop left out lies beyond it, without an edge', () => {
  const crop = drawn(120, 90, (x, y) => texture(x + 30, y + 20));
  const map = [WIDTH / 120, 0, -30 / 120, 0, HEIGHT / 90, -20 / 90, 0, 0, 1];
  const [before, after] = pairEdits(original, crop, map);
  assert.ok(Math.abs(before.beyond - (1 - (120 * 90) / (WIDTH * HEIGHT))) < 0.02 && after.beyond < 0.01);
  assert.ok(before.outline < 20, `${before.outline}`);
});

test('a change of light is no difference, and narrows the range', () => {
  const dark = drawn(WIDTH, HEIGHT, (x, y) => 0.7 * texture(x, y) + 10);
  const [before, after] = pairEdits(original, dark, same);
  assert.ok(after.differing < 0.01 && after.range < 0.8 * before.range);
});

test('the contrast of one picture by that of the other is known though a part of it is white', () => {
  const isWhite = (x: number, y: number): boolean => x >= 20 && x < 120 && y >= 30 && y < 110;
  const toned = drawn(WIDTH, HEIGHT, (x, y) => (isWhite(x, y) ? 255 : 0.9 * texture(x, y) + 4));
  const [before, after] = pairEdits(original, toned, same);
  assert.ok(Math.abs(after.contrast - 0.9) < 0.005, `${after.contrast}`);
  assert.ok(Math.abs(before.contrast * after.contrast - 1) < 1e-9);
});

test('a map that cannot be inverted shows nothing', () => {
  const [first] = pairEdits(original, original, [0, 0, 0, 0, 0, 0, 0, 0, 1]);
  assert.equal(first.beyond, 0);
});
