import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Picture } from '@sosia/engine';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { Failure, type ErrorName } from '../errors.ts';
import { restrictCodecs } from './codecs.ts';
import { decodePicture, decodeTwoSizes } from './decode.ts';

restrictCodecs(); // as in the child
console.log = () => {}; // where libheif writes about every damaged file

const WIDTH = 48;
const HEIGHT = 32;

/** Blocks that grow redder to the right and greener downwards: no two of the eight orientations look alike. */
const upright = drawn(WIDTH, HEIGHT, (x, y) => [60 + 20 * (x >> 3), 50 + 40 * (y >> 3), 120]);

const encoders: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  'baseline JPEG': (picture) => picture.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
  'progressive JPEG': (picture) => picture.jpeg({ quality: 95, chromaSubsampling: '4:4:4', progressive: true }),
  PNG: (picture) => picture.png(),
  'interlaced PNG': (picture) => picture.png({ progressive: true }),
  'palette PNG': (picture) => picture.png({ palette: true }),
  'lossless WebP': (picture) => picture.webp({ lossless: true }),
  'lossy WebP': (picture) => picture.webp({ quality: 95 }),
  GIF: (picture) => picture.gif(),
  'LZW TIFF': (picture) => picture.tiff({ compression: 'lzw' }),
  'tiled JPEG TIFF': (picture) =>
    picture.tiff({ compression: 'jpeg', quality: 95, tile: true, tileWidth: 32, tileHeight: 32 }),
  AVIF: (picture) => picture.avif({ quality: 90, chromaSubsampling: '4:4:4' }),
};

for (const [name, encode] of Object.entries(encoders)) {
  test(`${name} decodes to the picture that went in`, async () => {
    const picture = await decodePicture(await encode(raw(upright)).toBuffer(), 1024);
    assert.deepEqual([picture.width, picture.height], [WIDTH, HEIGHT]);
    assert.deepEqual([picture.originalWidth, picture.originalHeight], [WIDTH, HEIGHT]);
    assertNear(picture.rgb, upright.rgb, 14);
  });

  test(`${name} cut short anywhere is refused or still whole, and half of it is refused`, async () => {
    const file = await encode(raw(upright)).toBuffer();
    for (let length = 0; length < file.length; length++) {
      const picture = await pictureOrFailure(file.subarray(0, length));
      if (picture instanceof Failure) continue;
      assert.ok(length > file.length / 2, `${length} of ${file.length} bytes made a picture`);
      assertNear(picture.rgb, upright.rgb, 14);
    }
  });
}

const stored: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  'grey JPEG': (picture) => picture.grayscale().jpeg(),
  'JPEG in CMYK': (picture) => picture.toColourspace('cmyk').jpeg(),
  'JPEG with a profile': (picture) => picture.withIccProfile('p3').jpeg(),
  'turned JPEG': (picture) => picture.withMetadata({ orientation: 6 }).jpeg(),
  'mirrored JPEG': (picture) => picture.withMetadata({ orientation: 2 }).jpeg(),
  'PNG of 16 bits': (picture) => picture.toColourspace('rgb16').png(),
  'transparent PNG': (picture) => picture.ensureAlpha(0.4).png(),
};

for (const [name, encode] of Object.entries({ ...encoders, ...stored }))
  test(`${name} decodes to two sizes as to each of them`, async () => {
    const photo = readFileSync(new URL('../../../fixtures/samples/kodim05.jpg', import.meta.url));
    for (const width of [90, 147, 199, 200, 230, 640]) {
      const file = await encode(sharp(photo).resize(width)).toBuffer();
      const both = { picture: await decodePicture(file, 100, true), larger: await decodePicture(file, 200) };
      assert.deepEqual(await decodeTwoSizes(file, 100, 200, true), both, `${width} pixels`);
    }
  });

test('any bytes, and any file with bytes changed, are a picture or a clean failure', async () => {
  const files: Buffer[] = await Promise.all(Object.values(encoders).map((encode) => encode(raw(upright)).toBuffer()));
  files.push(heic());
  const start = fc.constantFrom(...files.map((file) => file.subarray(0, 40)));
  const random = fc.tuple(start, fc.uint8Array({ maxLength: 200 })).map((parts) => Buffer.concat(parts));
  const change = fc.record({ at: fc.nat(), byte: fc.constantFrom(0, 1, 0x7f, 0x80, 0xff) });
  const changed = fc
    .tuple(fc.constantFrom(...files), fc.array(change, { minLength: 1, maxLength: 6 }))
    .map(([file, changes]) => {
      const copy = Buffer.from(file as Uint8Array);
      for (const { at, byte } of changes) copy[at % copy.length]! ^= byte;
      return copy;
    });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 100 }), random, changed), async (bytes) => {
      const picture = await pictureOrFailure(bytes);
      if (!(picture instanceof Failure)) assert.equal(picture.rgb.length, picture.width * picture.height * 3);
    }),
    { numRuns: 1000 },
  );
});

for (const encoder of ['PNG', 'baseline JPEG', 'lossless WebP', 'LZW TIFF']) {
  test(`${encoder}: all eight EXIF orientations show the same picture upright`, async () => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      const stored = storedFor(orientation);
      const file = await encoders[encoder]!(raw(stored).withMetadata({ orientation })).toBuffer();
      const picture = await decodePicture(file, 1024);
      assert.deepEqual([picture.width, picture.height], [WIDTH, HEIGHT], `orientation ${orientation}`);
      assertNear(picture.rgb, upright.rgb, encoder === 'baseline JPEG' ? 14 : 0);
    }
  });
}

test('an orientation that does not exist is ignored', async () => {
  const file = await raw(upright)
    .withExif({ IFD0: { Orientation: '99' } })
    .png()
    .toBuffer();
  assertNear((await decodePicture(file, 1024)).rgb, upright.rgb, 0);
});

test('grey comes as three equal channels, of 8 bits and of 16', async () => {
  const grey = Uint8Array.from({ length: 16 * 16 }, (_, i) => i);
  const expected = Uint8Array.from({ length: 16 * 16 * 3 }, (_, i) => Math.floor(i / 3));
  const size = { width: 16, height: 16, channels: 1 } as const;
  const of8 = await sharp(grey, { raw: size }).toColourspace('b-w').png().toBuffer();
  const of16 = await sharp(
    Uint16Array.from(grey, (v) => v * 257),
    { raw: size },
  )
    .toColourspace('grey16')
    .png()
    .toBuffer();
  assert.equal((await sharp(of8).metadata()).channels, 1);
  assert.equal((await sharp(of16).metadata()).depth, 'ushort');
  assertNear((await decodePicture(of8, 1024)).rgb, expected, 0);
  assertNear((await decodePicture(of16, 1024)).rgb, expected, 0);
});

test('transparency comes as alpha where it is wanted, of 8 bits and of 16, and the pixels are the same', async () => {
  const rgba = Uint8Array.from({ length: 16 * 16 * 4 }, (_, i) => (i % 4 === 3 ? i >> 2 : 90));
  const size = { width: 16, height: 16, channels: 4 } as const;
  const of8 = await sharp(rgba, { raw: size }).png().toBuffer();
  const deep = sharp(
    Uint16Array.from(rgba, (v) => v * 257),
    { raw: size },
  );
  const of16 = await deep.toColourspace('rgb16').png().toBuffer();
  for (const file of [of8, of16, await sharp(rgba, { raw: size }).webp({ lossless: true }).toBuffer()]) {
    const { alpha, rgb } = await decodePicture(file, 1024, true);
    assertNear(
      alpha!,
      Uint8Array.from({ length: 256 }, (_, i) => i),
      0,
    );
    const plain = await decodePicture(file, 1024);
    assert.deepEqual([plain.rgb, plain.alpha], [rgb, undefined]);
  }
  assert.equal((await decodePicture(await raw(upright).png().toBuffer(), 1024, true)).alpha, undefined);
  assert.equal((await decodePicture(of8, 8, true)).alpha?.length, 64);
});

test('16 bits a channel are rounded to 8', async () => {
  const deep = Uint16Array.from(upright.rgb, (v) => v * 256 + 99);
  const file = await sharp(deep, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .toColourspace('rgb16')
    .png()
    .toBuffer();
  assert.equal((await sharp(file).metadata()).depth, 'ushort');
  assertNear((await decodePicture(file, 1024)).rgb, upright.rgb, 1);
});

test('an embedded profile is applied', async () => {
  const file = await raw(upright).withIccProfile('p3').png().toBuffer();
  const stored = await sharp(file, { ignoreIcc: true }).raw().toBuffer();
  assert.ok(furthest(stored, upright.rgb) > 15, 'the stored values are those of Display P3');
  assertNear((await decodePicture(file, 1024)).rgb, upright.rgb, 4);
});

test('CMYK becomes the colours it prints', async () => {
  const muted = drawn(WIDTH, HEIGHT, (x, y) => [90 + x, 100 + y, 120]);
  const file = await raw(muted).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
  assert.equal((await sharp(file).metadata()).channels, 4);
  assertNear((await decodePicture(file, 1024)).rgb, muted.rgb, 16);
});

test('what is transparent lies on white', async () => {
  const rgba = Uint8Array.from({ length: 16 * 16 * 4 }, (_, i) => [200, 0, 0, i < 512 ? 0 : 128][i % 4]!);
  const expected = Uint8Array.from(
    { length: 16 * 16 * 3 },
    (_, i) => (i < 384 ? [255, 255, 255] : [227, 127, 127])[i % 3]!,
  );
  for (const format of ['png', 'webp', 'tiff'] as const) {
    const file = await sharp(rgba, { raw: { width: 16, height: 16, channels: 4 } })
      .toFormat(format, { lossless: true, compression: 'lzw' })
      .toBuffer();
    assertNear((await decodePicture(file, 1024)).rgb, expected, 1);
  }
});

test('of an animation, or of many pages, the first is decoded', async () => {
  const [second, third] = [10, 90].map((blue) => drawn(WIDTH, HEIGHT, () => [250, 200, blue]));
  const frames = await Promise.all([upright, second!, third!].map((frame) => raw(frame).png().toBuffer()));
  for (const format of ['gif', 'webp', 'tiff'] as const) {
    const file = await sharp(frames, { join: { animated: true } })
      .toFormat(format, { lossless: true, compression: 'lzw' })
      .toBuffer();
    assert.equal((await sharp(file).metadata()).pages, 3, format);
    const picture = await decodePicture(file, 1024);
    assert.deepEqual([picture.width, picture.height], [WIDTH, HEIGHT], format);
    assertNear(picture.rgb, upright.rgb, 14);
  }
});

test('HEIC is decoded', async () => {
  const picture = await decodePicture(heic(), 1024);
  assert.deepEqual([picture.width, picture.height], [64, 48]);
  const corners = [
    [8, 8],
    [56, 8],
    [8, 40],
    [56, 40],
  ].map(([x, y]) => Array.from(picture.rgb.subarray((y! * 64 + x!) * 3).subarray(0, 3)));
  assertNear(corners.flat(), [220, 30, 30, 30, 200, 30, 30, 30, 220, 240, 240, 240], 16);
});

test('a HEIC cut short anywhere is refused', async () => {
  const file = heic();
  for (let length = 12; length < file.length - 16; length += 7) {
    assert.ok(
      (await pictureOrFailure(file.subarray(0, length))) instanceof Failure,
      `${length} of ${file.length} bytes`,
    );
  }
});

test('a larger picture is reduced to the longest side, a smaller one comes as it is', async () => {
  const file = await raw(upright).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const sizes = [];
  for (const side of [16, 47, 48, 49]) {
    const { width, height, originalWidth, originalHeight, rgb } = await decodePicture(file, side);
    assert.equal(rgb.length, width * height * 3);
    sizes.push([width, height, originalWidth, originalHeight]);
  }
  assert.deepEqual(sizes, [
    [11, 16, HEIGHT, WIDTH],
    [31, 47, HEIGHT, WIDTH],
    [HEIGHT, WIDTH, HEIGHT, WIDTH],
    [HEIGHT, WIDTH, HEIGHT, WIDTH],
  ]);
});

test('the same file gives the same pixels', async () => {
  const file = await raw(upright).resize(1500, 1000).jpeg().toBuffer();
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => decodePicture(file, 1024)));
  for (const other of others) assert.deepEqual(other, first);
});

test('a file that is no picture is refused by its kind', async () => {
  const cases: [string | Buffer, ErrorName, RegExp][] = [
    ['', 'NOT_A_PICTURE', /expected JPEG.*got no bytes/],
    ['hello, I am no picture', 'NOT_A_PICTURE', /22 bytes that begin with "hello, I"/],
    [Buffer.from([7, 8, 9]), 'NOT_A_PICTURE', /3 bytes that begin with 070809/],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'UNSUPPORTED_FORMAT', /got SVG/],
    ['<?xml version="1.0"?><!DOCTYPE svg []><svg/>', 'UNSUPPORTED_FORMAT', /got SVG/],
    ['\ufeff <!DOCTYPE html><html><svg></svg></html>', 'UNSUPPORTED_FORMAT', /got HTML/],
    ['%PDF-1.7\n', 'UNSUPPORTED_FORMAT', /got PDF/],
    [Buffer.alloc(20_000_001), 'PICTURE_TOO_LARGE', /at most 20 MB, got 20000001 bytes/],
  ];
  for (const [content, name, words] of cases) {
    const failure = await pictureOrFailure(Buffer.from(content as string));
    assert.ok(failure instanceof Failure);
    assert.equal(failure.error, name);
    assert.match(failure.message, words);
  }
});

test('a file that declares too large a picture is refused before libvips sees it', async () => {
  const file = await encoders['PNG']!(raw(upright)).toBuffer();
  file.writeUInt32BE(20_000, 16); // the width; the checksum is wrong now, but no reader comes that far
  const failure = await pictureOrFailure(file);
  assert.ok(failure instanceof Failure);
  assert.match(failure.message, /too large: expected sides of at most 16383 pixels, got a PNG of 20000x32/);
});

test('restricted libvips opens neither SVG nor files', async () => {
  await assert.rejects(sharp(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')).toBuffer());
  await assert.rejects(sharp(new URL(import.meta.url).pathname).toBuffer());
});

async function pictureOrFailure(bytes: Uint8Array): Promise<Picture | Failure> {
  try {
    return await decodePicture(bytes, 1024);
  } catch (cause) {
    if (cause instanceof Failure) return cause;
    throw cause;
  }
}

interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

function drawn(width: number, height: number, colour: (x: number, y: number) => readonly number[]): Drawing {
  const pixels = Array.from({ length: width * height }, (_, i) => colour(i % width, Math.floor(i / width)));
  return { width, height, rgb: Uint8Array.from(pixels.flat()) };
}

/** What must be stored so that a viewer that obeys the orientation shows `upright` (TIFF 6.0, tag 274). */
function storedFor(orientation: number): Drawing {
  const [w, h] = [WIDTH - 1, HEIGHT - 1];
  const sources: ((x: number, y: number) => [number, number])[] = [
    (x, y) => [x, y],
    (x, y) => [w - x, y],
    (x, y) => [w - x, h - y],
    (x, y) => [x, h - y],
    (x, y) => [y, x],
    (x, y) => [w - y, x],
    (x, y) => [w - y, h - x],
    (x, y) => [y, h - x],
  ];
  const size: [number, number] = orientation < 5 ? [WIDTH, HEIGHT] : [HEIGHT, WIDTH];
  return drawn(...size, (x, y) => {
    const [fromX, fromY] = sources[orientation - 1]!(x, y);
    return Array.from(upright.rgb.subarray((fromY * WIDTH + fromX) * 3).subarray(0, 3));
  });
}

function raw({ rgb, width, height }: Drawing): Sharp {
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

/** 64x48 in four colours. */
function heic(): Buffer {
  return readFileSync(new URL('../../../fixtures/formats/four-colours.heic', import.meta.url));
}

function furthest(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let off = 0;
  for (let i = 0; i < expected.length; i++) off = Math.max(off, Math.abs(actual[i]! - expected[i]!));
  return off;
}

function assertNear(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  assert.equal(actual.length, expected.length);
  const off = furthest(actual, expected);
  assert.ok(off <= tolerance, `a channel is off by ${off}, expected at most ${tolerance}`);
}
