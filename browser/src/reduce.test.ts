import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { samplesFolder } from '@sosia/fixtures';
import fc from 'fast-check';
import sharp from 'sharp';
import { reduce } from './reduce.ts';
import type { Rows } from './reduce.ts';

function painted(width: number, value: (x: number, y: number) => number): Rows {
  return (first, count) =>
    Uint8ClampedArray.from({ length: width * count * 4 }, (_, i) => {
      const pixel = i >> 2;
      return (i & 3) === 3 ? 9 : value(pixel % width, first + Math.floor(pixel / width));
    });
}

for (const [width, height, side] of [
  [768, 512, 500],
  [768, 512, 300],
  [512, 768, 211],
  [700, 512, 100],
] as const) {
  test(`${width} x ${height} to ${side} is what the service makes of it, but for a grey level here and there`, async () => {
    const whole = await sharp(join(samplesFolder, 'kodim03.jpg'))
      .resize(width, height, { fit: 'cover' })
      .removeAlpha()
      .raw()
      .toBuffer();
    const { data, info } = await sharp(whole, { raw: { width, height, channels: 3 } })
      .resize({ width: side, height: side, fit: 'inside' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const rgba = await sharp(whole, { raw: { width, height, channels: 3 } })
      .ensureAlpha()
      .raw()
      .toBuffer();
    const rows: Rows = (first, count) =>
      new Uint8ClampedArray(rgba.subarray(first * width * 4, (first + count) * width * 4));
    const reduced = reduce(width, height, rows, side);
    assert.deepEqual([reduced.width, reduced.height], [info.width, info.height]);
    const off = Array.from(data, (value, i) => Math.abs(value - reduced.rgb[i]!));
    const [mean, most] = [off.reduce((sum, each) => sum + each, 0) / off.length, off.reduce((a, b) => Math.max(a, b))];
    // above 4 libvips begins with means, which it rounds
    assert.ok(
      mean < (width / side < 4 ? 0.15 : 0.8) && most <= 3,
      `${mean} grey levels off on average, ${most} at most`,
    );
  });
}

test('one colour stays one colour up to the edges, and a flipped picture gives the flipped reduction', () => {
  const sides = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(sides, sides, fc.nat(255), fc.integer({ min: 1, max: 50 }), (width, height, grey, side) => {
      fc.pre(Math.max(width, height) > side);
      const plain = reduce(
        width,
        height,
        painted(width, () => grey),
        side,
      );
      assert.equal(Math.max(plain.width, plain.height), side);
      assert.ok(plain.rgb.every((value) => value === grey));

      const value = (x: number, y: number) => (x * 37 + y * 101) % 256;
      fc.pre(Math.max(width, height) < 4 * side); // beyond, the means begin at one edge
      const upright = reduce(width, height, painted(width, value), side);
      const rotated = reduce(
        width,
        height,
        painted(width, (x, y) => value(width - 1 - x, height - 1 - y)),
        side,
      );
      const last = upright.rgb.length - 1;
      assert.ok(upright.rgb.every((value, i) => Math.abs(value - rotated.rgb[last - i]!) <= 2)); // halves are rounded up from either side, twice
    }),
    { numRuns: 100 },
  );
});
