import assert from 'node:assert/strict';
import { test } from 'node:test';
import { painted } from '../../../test/pictures.ts';
import type { Picture } from '../../pixels/picture.ts';
import { firstLevel, onGround } from './drawing.ts';

/** A square of one brightness on transparent ground, composed on white. */
function square(brightness: number, side = 20): Picture {
  const inside = (x: number, y: number) => Math.max(x, y) < side;
  const picture = painted(40, 40, (x, y) => (inside(x, y) ? [brightness, brightness, brightness] : [255, 255, 255]));
  return { ...picture, alpha: Uint8Array.from({ length: 1600 }, (_, i) => (inside(i % 40, i / 40) ? 255 : 0)) };
}

test('a dark drawing is put on white, a light one on black', () => {
  assert.equal(onGround(square(100))?.rgb[3 * 1599], 255);
  const light = onGround(square(200))!;
  assert.deepEqual([light.rgb[0], light.rgb[3 * 1599]], [200, 0]);
});

test('half transparent edges fade to the ground', () => {
  const picture = square(255);
  picture.alpha!.fill(128, 39, 40);
  picture.rgb.fill(255, 3 * 39, 3 * 40);
  assert.equal(onGround(picture)?.rgb[3 * 39], 128);
});

test('a picture without transparency, or with hardly any, is no drawing; nor is one of nothing', () => {
  assert.equal(onGround({ ...square(100), alpha: undefined }), undefined);
  assert.equal(onGround(square(100, 40)), undefined);
  assert.equal(onGround(square(100, 0)), undefined);
});

test('the features of a large drawing begin at a level of about 300 pixels', () => {
  const level = (originalWidth: number) => firstLevel({ ...square(0), originalWidth, originalHeight: 100 });
  assert.deepEqual([100, 330, 400, 512, 3000].map(level), [0, 0, 1, 2, 2]);
});
