import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { photograph } from '../service.test.kit.ts';
import { decodePicture } from './decode.ts';
import { THUMBNAIL } from './limits.ts';
import { thumbnailOf } from './thumbnail.ts';

function drawn(width: number, height: number, value: (i: number) => number) {
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, i) => value(i));
  return { width, height, rgb, originalWidth: width, originalHeight: height };
}

/** The worst there is to compress; the same every time. */
function noise(): (i: number) => number {
  let state = 1;
  return () => (state = (state * 48271) % 2147483647) >> 8;
}

test('320 pixels at the longest side, and the whole picture', async () => {
  const picture = await decodePicture(await photograph(3), 1024);
  const jpeg = await thumbnailOf(picture);
  const { format, width, height, exif, icc, xmp } = await sharp(jpeg).metadata();
  assert.deepEqual([format, width, height], ['jpeg', 320, 213]);
  assert.deepEqual([exif, icc, xmp], [undefined, undefined, undefined]);

  const { data } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  const expected = await sharp(picture.rgb, { raw: { ...picture, channels: 3 } })
    .resize(320, 213)
    .raw()
    .toBuffer();
  const off = data.reduce((sum, value, i) => sum + Math.abs(value - expected[i]!), 0) / data.length;
  assert.ok(off < 6, `${off} grey levels off`);
});

test('never more than 16 KB, whatever the picture', async () => {
  for (const [width, height] of [
    [1024, 1024],
    [1024, 700],
    [320, 320],
    [900, 30],
  ] as const) {
    const jpeg = await thumbnailOf(drawn(width, height, noise()));
    assert.ok(jpeg.length <= THUMBNAIL.bytes, `${width}x${height}: ${jpeg.length}`);
  }
});

test('a small picture keeps its size, and a sliver has a pixel left', async () => {
  const size = async (width: number, height: number) => {
    const metadata = await sharp(await thumbnailOf(drawn(width, height, (i) => i))).metadata();
    return [metadata.width, metadata.height];
  };
  assert.deepEqual(await size(60, 40), [60, 40]);
  assert.deepEqual(await size(1000, 2), [320, 1]);
});
