import assert from 'node:assert/strict';
import { test } from 'node:test';
import { photographs } from '../../test/pictures.ts';
import type { Picture } from '../pixels/picture.ts';
import { mediaMatching } from '../types/media-matching.ts';
import type { ReferenceQuality } from './reference-quality.ts';

const gradeOf = (picture: Picture): ReferenceQuality =>
  mediaMatching.referenceQuality!(mediaMatching.describe(picture, 'reference'));

/** Grey, but for the pixels that `paint` gives a value to. */
function painted(width: number, height: number, paint: (x: number, y: number) => number | undefined): Picture {
  const rgb = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) rgb.fill(paint(i % width, Math.floor(i / width)) ?? 128, 3 * i, 3 * i + 3);
  return { width, height, rgb, originalWidth: width, originalHeight: height };
}

test('photographs have the best grade, and no reason for less', () => {
  for (const picture of photographs) assert.deepEqual(gradeOf(picture), { grade: 4, reasons: [] });
});

test('a picture with something in one corner only has few features, all in one part', () => {
  const { rgb, width } = photographs[0];
  const { grade, reasons } = gradeOf(
    painted(400, 400, (x, y) => (x < 40 && y < 40 ? rgb[3 * ((y + 100) * width + x + 100)] : undefined)),
  );
  assert.ok(grade <= 2, `grade ${grade}: ${reasons}`);
  assert.match(reasons.join('; '), /few features: \d+; features in one part only: \d+ of 16 cells/);
});

test('wallpaper is called repetitive', () => {
  const { rgb, width } = photographs[1];
  const { grade, reasons } = gradeOf(painted(384, 384, (x, y) => rgb[3 * (((y % 48) + 60) * width + (x % 48) + 60)]));
  assert.ok(grade < 4, `grade ${grade}`);
  assert.match(reasons.join('; '), /repetitive: \d+ %/);
});
