import assert from 'node:assert/strict';
import { test } from 'node:test';
import { painted } from '../../test/pictures.ts';
import type { Homography } from '../geometry/homography.ts';
import type { Picture } from '../pixels/picture.ts';
import { type Marked, markQuery, markReference } from './marks.ts';

const same: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const grey = painted(200, 160, () => [120, 120, 120]);
const [left, top, right, bottom] = [80, 60, 120, 90];

/** One region that fills a box of the grid. */
const marked: Marked = {
  width: 200,
  height: 160,
  regions: [{ left, top, right, bottom, area: 1200, strength: 100 }],
  labels: Uint16Array.from({ length: 200 * 160 }, (_, i) => {
    const [x, y] = [i % 200, Math.floor(i / 200)];
    return Number(x >= left && x < right && y >= top && y < bottom);
  }),
  strips: new Uint8Array(200 * 160),
};
const none: Marked = { ...marked, regions: [], labels: new Uint16Array(200 * 160) };

const pixel = ({ width, rgb }: Picture, x: number, y: number): number[] => [
  ...rgb.subarray(3 * (y * width + x)).subarray(0, 3),
];

test('inside it is tinted, around it lie rings that every kind of colour vision distinguishes', () => {
  const seen = markReference(grey, marked, same, grey);
  const tinted = pixel(seen, 100, 75);
  assert.ok(tinted[0] > 140 && tinted[2] < 100, `${tinted}`);
  const row = Array.from({ length: left - 60 }, (_, k) => pixel(seen, 60 + k, 75));
  const lights = row.map(([red, green, blue]) => 0.3 * red + 0.59 * green + 0.11 * blue);
  assert.ok(Math.max(...lights) - Math.min(...lights) > 150, 'the outline has a dark and a light ring');
  const blueLess = row.map(([red, , blue]) => blue - red); // distinct without red against green
  assert.ok(Math.max(...blueLess) > 200 && Math.min(...blueLess) < -200);
  assert.deepEqual(pixel(seen, 40, 75), [120, 120, 120]);
});

test('in the query the mark lies where the map puts it', () => {
  const moved: Homography = [1, 0, -30, 0, 1, -20, 0, 0, 1]; // the query shows all of it 30 to the right and 20 lower
  const seen = markQuery(grey, marked, moved);
  assert.ok(pixel(seen, 130, 95)[0] > 140);
  assert.deepEqual(pixel(seen, 180, 140), [120, 120, 120]);
});

test('what the other picture does not show is hatched in dark and light, and no more than that', () => {
  const shifted: Homography = [1, 0, 50, 0, 1, 0, 0, 0, 1];
  const seen = markReference(grey, none, shifted, grey);
  const outside = Array.from({ length: 50 }, (_, k) => pixel(seen, 150 + k, 30)[0]);
  assert.ok(Math.max(...outside) > 150 && Math.min(...outside) < 100);
  for (let x = 0; x < 150; x++) assert.deepEqual(pixel(seen, x, 30), [120, 120, 120], `column ${x}`);
});

test('without a region and with nothing outside the picture stays as it is', () => {
  assert.deepEqual(markReference(grey, none, same, grey).rgb, grey.rgb);
  assert.deepEqual(markQuery(grey, none, same).rgb, grey.rgb);
});

test('a region at the very border is drawn where there is room', () => {
  const labels = Uint16Array.from({ length: 200 * 160 }, (_, i) => Number(i % 200 < 20 && i < 200 * 20));
  const regions = [{ left: 0, top: 0, right: 20, bottom: 20, area: 400, strength: 100 }];
  const corner: Marked = { ...marked, regions, labels };
  const seen = markReference(grey, corner, same, grey);
  assert.ok(pixel(seen, 5, 5)[0] > 140);
  assert.notDeepEqual(pixel(seen, 22, 10), [120, 120, 120]);
});

test('a strip along the rim is hatched in both pictures and not tinted', () => {
  const strips = Uint8Array.from({ length: 200 * 160 }, (_, i) => Number(i % 200 < 12));
  for (const seen of [
    markReference(grey, { ...none, strips }, same, grey),
    markQuery(grey, { ...none, strips }, same),
  ]) {
    const shades = Array.from({ length: 12 }, (_, x) => pixel(seen, x, 30)[0]);
    assert.ok(Math.max(...shades) > 150 && Math.min(...shades) < 100);
    assert.deepEqual(pixel(seen, 12, 30), [120, 120, 120]);
  }
});

test('the pixels that are marked are a copy, also of a Buffer, whose slices share its memory', () => {
  const buffer = { ...grey, rgb: Buffer.from(grey.rgb) };
  markReference(buffer, marked, same, grey);
  markQuery(buffer, marked, same);
  assert.deepEqual(new Uint8Array(buffer.rgb), grey.rgb);
});
