import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errors, Failure } from '../../errors.ts';
import { decodePicture } from '../decode.ts';

const folder = new URL('../../../../fixtures/formats/', import.meta.url);

const unsupported: Readonly<Record<string, RegExp>> = {
  'colour-filter-array.tif': /usual colour space, got photometric 32803/,
  'grey-12-bits.tif': /grey TIFF of 1, 2, 4, 8, 16 bits a sample, got 12/,
  'lab-8-bits.tif': /Lab TIFF of 16 bits a sample, got 8/,
  'mask.tif': /usual colour space, got photometric 4/,
  'rgb-4-bits.tif': /RGB TIFF of 8, 16 bits a sample, got 4/,
  'tiles-of-separate-planes.tif': /tiles of separate planes/,
  'two-inks.tif': /four inks, got 2/,
};
const sizes: Readonly<Record<string, readonly number[]>> = {
  'four-colours.heic': [64, 48],
  'group4.tif': [64, 48],
  'sequence.avif': [64, 64],
};

test('valid pictures of rare kinds are decoded, or refused as not supported, by name', async () => {
  const names = readdirSync(folder).filter((name) => !name.endsWith('.md'));
  assert.deepEqual(names.sort(), [...Object.keys(unsupported), ...Object.keys(sizes)].sort());
  for (const name of names) {
    const decoded = decodePicture(readFileSync(new URL(name, folder)), 1024);
    if (name in sizes) {
      const { width, height } = await decoded;
      assert.deepEqual([width, height], sizes[name]);
      continue;
    }
    await assert.rejects(decoded, (cause) => {
      assert.ok(cause instanceof Failure);
      assert.equal(cause.error, 'UNSUPPORTED_FORMAT', `${name}: ${cause.message}`);
      assert.match(cause.message, unsupported[name]!);
      return true;
    });
  }
});

test('of an AVIF sequence the still picture beside it is decoded, and one without is not supported', async () => {
  const file = readFileSync(new URL('sequence.avif', folder));
  const { rgb } = await decodePicture(file, 1024);
  assert.ok(rgb[0]! < 60 && rgb[3 * 63]! > 195, 'red rises to the right');
  const alone = Buffer.from(file);
  for (let at = alone.indexOf('avif'); at >= 0 && at < 64; at = alone.indexOf('avif', at)) alone.write('xxxx', at);
  await assert.rejects(decodePicture(alone, 1024), {
    code: errors.UNSUPPORTED_FORMAT.code,
    message: /a sequence alone/,
  });
});
